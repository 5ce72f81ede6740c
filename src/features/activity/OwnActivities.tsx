import { useState } from "react";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import type { memberPage } from "#i18n/member.ts";
import type { OwnStates } from "#i18n/state.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { toProblem } from "#src/api/problem.ts";
import { formatWeekdayYear, formatWhen } from "#src/lib/date.ts";
import { groupByFour } from "#src/lib/format.ts";
import { useDeferredStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Day } from "#src/ui/Day.tsx";
import { island } from "#src/ui/Island.tsx";
import type { PictureData } from "#src/ui/Picture.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { SnapshotNotice } from "#src/ui/SnapshotNotice.tsx";
import { Tag } from "#src/ui/Tag.tsx";
import { TicketCard, TicketSkeleton } from "#src/ui/TicketCard.tsx";
import { CodeLines, TicketPanel } from "#src/ui/TicketPanel.tsx";
import ArrowRight from "~icons/lucide/arrow-right";
import { type OwnActivity, ownActivities } from "./store.ts";

interface OwnActivitiesProps {
  prefix: Prefix;
  /** What the content says of events, by activity uid. */
  events: Record<string, { cover: PictureData; isCancelled?: boolean }>;
  t: Pick<
    (typeof memberPage)["zh-CN"],
    "events" | "booked" | "past" | "cancelled" | "code" | "noBookings" | "noBookingsBody" | "show"
  >;
  states: OwnStates & { takenAt: string };
}

function getTag(t: OwnActivitiesProps["t"], isPast: boolean, isCancelled = false) {
  if (isCancelled) return <Tag tone="warn">{t.cancelled}</Tag>;
  return isPast ? <Tag>{t.past}</Tag> : <Tag tone="on">{t.booked}</Tag>;
}

const card = {
  panel: "grid-cols-[min(9.5rem,53%)_minmax(0,1fr)] lg:grid-cols-[12.5rem_minmax(0,1fr)]",
  picture: "row-span-2 max-lg:p-4 max-lg:pr-0",
  title: "col-2 max-lg:self-end",
  facts: "col-2 max-lg:pt-0",
  code: "justify-items-center",
  perforation: "top-0",
  size: "px-4 text-5xl lg:text-7xl",
};

function OwnActivitiesIsland({ prefix, events, t, states }: OwnActivitiesProps) {
  const [store] = useState(() => ownActivities((error) => toProblem(error, states)));
  const takesPlace = ({ activity, isPast }: OwnActivity) => !isPast && !events[activity.activity_uid]?.isCancelled;
  return (
    <ResourceView
      resource={useDeferredStore(store.$state)}
      onRetry={store.load}
      loginHref={link(prefix, "login", {}, { redirect: "/user/info" })}
      skeleton={<TicketSkeleton text={t.noBookingsBody} />}
      t={states}
    >
      {({ data, takenAt }) => (
        <>
          <SnapshotNotice takenAt={takenAt} onRetry={store.refresh} t={states} />
          {data.length === 0 ? (
            // Below a tour that can still be signed up for; the page hides it once there is a booking of either kind.
            <div
              className="empty order-last flex flex-wrap items-center justify-between gap-4 p-4 bg-surface lg:px-10 lg:py-8"
              data-empty
            >
              <div>
                <h3 className="text-lg lg:text-xl">{t.noBookings}</h3>
                <p className="text-sm text-ink-2">{t.noBookingsBody}</p>
              </div>
              <ButtonLink variant="outline" size="lg" href={link(prefix, "eventList")}>
                {t.events}
              </ButtonLink>
            </div>
          ) : (
            <ul className="grid gap-3">
              {data.map((own, _, all) => {
                const { activity, isPast } = own;
                const page = events[activity.activity_uid];
                const starts = new Date(activity.starts_at);
                if (own === all.find(takesPlace)) {
                  return (
                    <li key={activity.activity_uid}>
                      <article>
                        <TicketPanel
                          style={card}
                          picture={page?.cover}
                          note={
                            <span className="flex flex-wrap justify-between gap-x-4">
                              <span>{t.booked}</span>
                              <span className="flex items-center gap-1.5">
                                <span className="max-lg:sr-only">{t.show}</span>{" "}
                                <ArrowRight className="icon size-4" aria-hidden="true" />
                              </span>
                            </span>
                          }
                          heading={
                            <h3 className="text-2xl">
                              <a
                                className="after:absolute after:inset-0"
                                href={link(prefix, "orderEvent", { uid: activity.activity_uid })}
                              >
                                {activity.title}
                              </a>
                            </h3>
                          }
                          code={
                            <span className="flex flex-wrap gap-x-[0.25em]">
                              <CodeLines code={activity.check_in_code ?? ""} />
                            </span>
                          }
                          facts={[
                            [formatWeekdayYear(starts, getLocale(prefix)), <Day key="date" date={starts} form="dayTime" />],
                            [activity.city, activity.venue],
                          ]}
                        />
                      </article>
                    </li>
                  );
                }
                return (
                  <li key={activity.activity_uid}>
                    <TicketCard
                      picture={page?.cover}
                      href={link(prefix, "orderEvent", { uid: activity.activity_uid })}
                      date={starts}
                      tag={getTag(t, isPast, page?.isCancelled)}
                      title={activity.title}
                      when={[formatWhen(starts, getLocale(prefix), Date.now())]}
                      line={joinPlace(activity.city, activity.venue, getLocale(prefix))}
                      stub={{ label: t.code, value: groupByFour(activity.check_in_code ?? "") }}
                    />
                  </li>
                );
              })}
            </ul>
          )}
        </>
      )}
    </ResourceView>
  );
}

/** The member's booked activities with their check-in codes. */
export const OwnActivities = island(OwnActivitiesIsland);
