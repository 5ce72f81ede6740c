import { Component, type ComponentType, type ReactNode } from "react";
import { Failed } from "./Failed.tsx";
import "../lib/replay.ts";

/** What an island says when it cannot go on. */
export interface IslandTexts {
  failedTitle: string;
  unreadable: string;
  retry: string;
}

/** Catches what an island throws while drawing: the rest of the page stands, and this place says so. */
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

/** Makes an island of a component: it gets its failed state, in the words of its `states`. */
export function island<Props extends { states: IslandTexts }>(Inner: ComponentType<Props>): ComponentType<Props> {
  return function Guarded(props: Props) {
    return (
      <Boundary texts={props.states}>
        <Inner {...props} />
      </Boundary>
    );
  };
}
