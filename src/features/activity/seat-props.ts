import type { seat } from "#i18n/activity.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { Activity } from "#src/api/activity.ts";
import type { Problem } from "#src/api/problem.ts";
import type { DayProps } from "#src/ui/Day.tsx";
import type { PictureData } from "#src/ui/Picture.tsx";
import type { activityStore } from "./store.ts";

/** How wide the poster stands. */
export const posterSizes = "(min-width: 60rem) 38vw, 37vw";

/** Texts of an activity's event from the content. Title, times, venue and state come from the server. */
export interface EventDetails {
  /** Of the event's page. */
  id: string;
  /** The language of the texts. */
  locale: string;
  /** How large the title stands, as on the event's page. */
  titleSize: "short" | "medium" | "long";
  lineUp: string;
  cover: PictureData & { alt: string };
  terms: string;
  way: string;
  doors: string;
  isCancelled: boolean;
  /** When it was to take place, where that has changed; else "". */
  movedFrom: string;
}

/** A pass of the shop, as of the build. */
export interface Pass {
  level: number;
  title: string;
}

/** Props of the parts of a booking page. */
export interface SeatProps {
  activity: Activity;
  /** Why nothing can be booked or given back now; "" once the latest has loaded. */
  needsLatest: string;
  store: ReturnType<typeof activityStore<Problem>>;
  /** Undefined for an activity without an event in the content. */
  event: EventDetails | undefined;
  /** Where to go instead of a show that cannot be booked. */
  more: { href: string; label: string; day?: DayProps };
  isPast: boolean;
  passes: readonly Pass[];
  prefix: Prefix;
  t: (typeof seat)["zh-CN"];
}
