import { useState } from "react";
import type { seat } from "../../../i18n/activity.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { useStore } from "../../lib/use-store.ts";
import { link, param } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { ActivitySkeleton } from "./ActivitySkeleton.tsx";
import { Seat } from "./Seat.tsx";
import { activityStore } from "./store.ts";

/** What an event's page says of an activity. The host knows its times, places and state. */
export interface Words {
  /** Of the event's page. */
  id: string;
  /** The language that they are in. */
  locale: string;
  lineUp: string;
  poster: string;
  terms: string;
  way: string;
  doors: string;
}

interface ActivityViewProps {
  prefix: Prefix;
  states: (typeof state)["zh-CN"];
  t: (typeof seat)["zh-CN"];
  /** By activity. */
  words: Record<string, Words>;
}

function ActivityViewIsland({ prefix, states, t, words }: ActivityViewProps) {
  const [uid] = useState(() => (typeof location === "undefined" ? "" : param(location.pathname, "uid")));
  const [store] = useState(() => activityStore(uid, (caught) => toProblem(caught, states)));
  const events = (
    <ButtonLink href={link(prefix, "eventList")} sign size="lg">
      {t.events}
    </ButtonLink>
  );
  return (
    <ResourceView
      resource={useStore(store.activity.$state)}
      onRetry={store.activity.load}
      loginHref={link(prefix, "login")}
      skeleton={<ActivitySkeleton />}
      way={<ButtonLink href={link(prefix, "eventList")}>{states.events}</ButtonLink>}
      t={states}
    >
      {(activity) =>
        activity ? (
          <Seat activity={activity} store={store} words={words[uid]} prefix={prefix} t={t} />
        ) : (
          <Empty title={t.unknown} body={t.unknownBody}>
            {events}
          </Empty>
        )
      }
    </ResourceView>
  );
}

/** An activity's terms, the member's place at it, and what opens the door. */
export const ActivityView = island(ActivityViewIsland);
