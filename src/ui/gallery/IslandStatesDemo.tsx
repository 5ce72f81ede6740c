import { useState } from "react";
import { ButtonLink } from "../Button.tsx";
import { Empty } from "../Empty.tsx";
import { Segmented } from "../form/Segmented.tsx";
import { island } from "../Island.tsx";
import { type ResourceTexts, ResourceView } from "../ResourceView.tsx";
import { SkeletonLines } from "../SkeletonLines.tsx";

type Words = "stateLead" | "loading" | "stateReady" | "stateEmpty" | "stateFailed" | "stateLogin" | "readyBody";
interface IslandStatesDemoProps {
  t: Record<Words | "emptyTitle" | "emptyBody" | "emptyAction" | "failedBody", string>;
  states: ResourceTexts;
  loginHref: string;
  eventsHref: string;
}

type State = "loading" | "ready" | "empty" | "failed" | "needsLogin";

function StatesIsland({ t, states, loginHref, eventsHref }: IslandStatesDemoProps) {
  const [state, setState] = useState<State>("failed");
  const options = [
    { value: "loading", label: t.loading },
    { value: "ready", label: t.stateReady },
    { value: "empty", label: t.stateEmpty },
    { value: "failed", label: t.stateFailed },
    { value: "needsLogin", label: t.stateLogin },
  ] as const;
  const resources = {
    loading: { state: "loading" },
    ready: { state: "ready", data: true },
    empty: { state: "ready", data: false },
    failed: { state: "failed", problem: { kind: "failed", message: t.failedBody } },
    needsLogin: { state: "failed", problem: { kind: "needsLogin" } },
  } as const;
  return (
    <div className="grid gap-4">
      <Segmented label={t.stateLead} options={options} value={state} onChoose={setState} />
      <ResourceView
        resource={resources[state]}
        onRetry={() => setState("loading")}
        loginHref={loginHref}
        skeleton={<SkeletonLines heights={["h-10", "h-24"]} />}
        t={states}
      >
        {(some: boolean) =>
          some ? (
            <p>{t.readyBody}</p>
          ) : (
            <Empty title={t.emptyTitle} body={t.emptyBody}>
              <ButtonLink href={eventsHref}>{t.emptyAction}</ButtonLink>
            </Empty>
          )
        }
      </ResourceView>
    </div>
  );
}

/** Cycles through the states of an island. */
export const IslandStatesDemo = island(StatesIsland);
