import { Component, type ComponentType, type ReactNode } from "react";
import { Failed } from "./Failed.tsx";
import "#src/lib/replay-interactions.ts";

/** Texts of the failed state of an island. */
export interface IslandTexts {
  failedTitle: string;
  unreadable: string;
  retry: string;
}

/** Shows the failed state when an island throws while rendering. */
class Boundary extends Component<{ texts: IslandTexts; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const { failedTitle, unreadable, retry } = this.props.texts;
    return <Failed title={failedTitle} message={unreadable} retry={retry} onRetry={() => this.setState({ failed: false })} />;
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
