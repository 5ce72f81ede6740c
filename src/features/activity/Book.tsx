import { fill } from "../../../i18n/catalogue.ts";
import { localeOf } from "../../../i18n/locale.ts";
import { day } from "../../lib/format.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { PlaceProps } from "./Place.tsx";

/** The way in, or why there is none and where else to go. */
export function Book({ activity, store, form, t }: PlaceProps) {
  const seat = useStore(store.$seat);
  if (activity.status !== "open") {
    const bodies = {
      full: seat.state === "taken" ? `${t.taken} ${t.fullBody}` : t.fullBody,
      closed: t.closedBody,
      not_open: fill(t.notOpenBody, { date: day(activity.opens_at, localeOf(form)) }),
    };
    const titles = { full: t.full, closed: t.closed, not_open: t.notOpen };
    return (
      <div className="trouble" role={seat.state === "idle" ? undefined : "alert"}>
        <Notice tone={activity.status === "not_open" ? "info" : "warn"} title={titles[activity.status]}>
          {bodies[activity.status]}
        </Notice>
        <p className="ways">
          <ButtonLink size="lg" variant="outline" href={link(form, "eventList")}>
            {t.events}
          </ButtonLink>
        </p>
      </div>
    );
  }
  return (
    <>
      {seat.state === "failed" && seat.problem.kind === "failed" && (
        <div role="alert">
          <Notice tone="bad">{seat.problem.message}</Notice>
        </div>
      )}
      <div className="cta-r">
        <Button sign size="xl" busy={seat.state === "booking"} onClick={store.book}>
          {t.book}
        </Button>
      </div>
      <p className="mut sm">{fill(t.left, { n: activity.capacity - activity.booked })}</p>
    </>
  );
}
