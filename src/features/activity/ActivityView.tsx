import { useState } from "react";
import type { seat } from "#i18n/activity.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { SnapshotStates } from "#i18n/state.ts";
import { toProblem } from "#src/api/problem.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link, param } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Empty } from "#src/ui/Empty.tsx";
import { island } from "#src/ui/Island.tsx";
import { EarlyPicture } from "#src/ui/Picture.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { SnapshotNotice } from "#src/ui/SnapshotNotice.tsx";
import { heading, layout, poster, Seat } from "./Seat.tsx";
import type { EventDetails, Pass } from "./seat-props.ts";
import { type ActivitySnapshot, activityStore } from "./store.ts";

/** Skeleton of `Seat`: poster, title, ticket, terms. */
function ActivitySkeleton({ title }: { title: string }) {
  return (
    <div className={layout}>
      <h2 className={heading}>{title}</h2>
      <div className={poster}>
        <div className="skeleton">
          <EarlyPicture className="w-full aspect-[3/4] object-cover" />
        </div>
      </div>
      <div className="col-start-6 -col-end-1 lg:col-start-7 grid gap-4 content-start min-w-0">
        <div className="skeleton h-7 w-20" />
        <div className="skeleton h-24" />
      </div>
      <div className="lg:col-start-7 lg:-col-end-1 grid gap-4 content-start col-span-full min-w-0">
        <div className="skeleton h-64" />
        <div className="skeleton h-32" />
        <div className="skeleton h-14" />
      </div>
    </div>
  );
}

interface ActivityViewProps {
  prefix: Prefix;
  states: SnapshotStates;
  t: (typeof seat)["zh-CN"];
  /** By activity uid. */
  events: Record<string, EventDetails>;
  /** The latest news about each event, by activity uid. */
  reports: Record<string, string>;
  passes: readonly Pass[];
}

/** Returns where to go instead, as the show's own page does: to what has been written about a past one, else to the next one with places. */
function getMore({ data, next, isPast }: ActivitySnapshot, { prefix, t, events, reports }: ActivityViewProps) {
  const report = isPast && data && reports[data.activity_uid];
  if (report) return { href: link(prefix, "news", { id: report }), label: t.report };
  const page = !isPast && next && events[next.activity_uid];
  if (!page || page.isCancelled) return { href: link(prefix, "eventList"), label: t.events };
  return { href: link(prefix, "event", { id: page.id }), label: t.next, day: { date: next.starts_at, form: "day" as const } };
}

function ActivityViewIsland(props: ActivityViewProps) {
  const { prefix, states, t, events, passes } = props;
  const [uid] = useState(() => (typeof location === "undefined" ? "" : param(location.pathname, "uid")));
  const [store] = useState(() => activityStore(uid, (error) => toProblem(error, states)));
  return (
    <ResourceView
      resource={useStore(store.activity.$state)}
      onRetry={store.activity.load}
      loginHref={link(prefix, "login")}
      skeleton={<ActivitySkeleton title={t.confirm} />}
      secondaryAction={<ButtonLink href={link(prefix, "eventList")}>{states.events}</ButtonLink>}
      t={states}
    >
      {(snapshot) => {
        const { data, takenAt, isPast = false } = snapshot;
        return data ? (
          <>
            <div className="py-5 empty:hidden">
              <SnapshotNotice takenAt={takenAt} onRetry={store.activity.refresh} t={states} />
            </div>
            <Seat
              activity={data}
              needsLatest={takenAt ? states.needsLatest : ""}
              store={store}
              event={events[uid]}
              more={getMore(snapshot, props)}
              isPast={isPast}
              passes={passes}
              prefix={prefix}
              t={t}
            />
          </>
        ) : (
          <Empty title={t.unknown} body={t.unknownBody}>
            <ButtonLink href={link(prefix, "eventList")} sign size="lg">
              {t.events}
            </ButtonLink>
          </Empty>
        );
      }}
    </ResourceView>
  );
}

/** Booking page of one activity: its terms, and the member's seat with its check-in code. */
export const ActivityView = island(ActivityViewIsland);
