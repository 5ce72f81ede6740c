import { Component, type ComponentType, type ReactNode } from "react";
import { Failed } from "./Failed.tsx";
import "#src/lib/replay-interactions.ts";

/** Texts of the failed state of an island. */
export interface IslandTexts {
  failedTitle: string;
  broken: string;
  retry: string;
}

/** Takes the place of what else stands in the island: what React could not remove, as another had moved it. */
function takePlace(fresh: HTMLElement | null): void {
  fresh?.parentElement?.replaceChildren(fresh);
}

/** Shows the failed state when an island throws while rendering, and what it renders from then on in an element of its own. */
class Boundary extends Component<{ texts: IslandTexts; children: ReactNode }, { failed: boolean; retries: number }> {
  override state = { failed: false, retries: 0 };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { failed, retries } = this.state;
    if (!failed && retries === 0) return this.props.children;
    const { failedTitle, broken, retry } = this.props.texts;
    const onRetry = () => this.setState({ failed: false, retries: retries + 1 });
    return (
      <div className="contents" key={`${retries} ${failed}`} ref={takePlace}>
        {failed ? <Failed title={failedTitle} message={broken} retry={retry} onRetry={onRetry} /> : this.props.children}
      </div>
    );
  }
}

/** Wraps a component in an error boundary, which uses the texts of its `states`. */
export function island<Props extends { states: IslandTexts }>(Inner: ComponentType<Props>): ComponentType<Props> {
  return function Guarded(props: Props) {
    return (
      <Boundary texts={props.states}>
        <Inner {...props} />
      </Boundary>
    );
  };
}
