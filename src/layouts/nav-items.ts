import { frame } from "../../i18n/frame.ts";
import { type Here, link } from "../routes.ts";

export interface NavItem {
  name: "home" | "event" | "mall" | "news" | "user";
  href: string;
  label: string;
  current: boolean;
  /** In the tab bar only: the header has its own link. */
  tabOnly?: boolean;
}

/** Returns the items of the main navigation, in the visitor's prefix. */
export function getNavItems({ prefix, locale, path }: Here): NavItem[] {
  const t = frame[locale];
  const isUnder = (start: string) => path === start || path.startsWith(`${start}/`);
  // Seats of events are booked under /mall.
  const isEvent = isUnder("/event") || isUnder("/mall/order_event");
  return [
    { name: "home", href: link(prefix, "home"), label: t.home, current: path === "/" },
    { name: "event", href: link(prefix, "eventList"), label: t.events, current: isEvent },
    { name: "mall", href: link(prefix, "mall"), label: t.mall, current: isUnder("/mall") && !isEvent },
    { name: "news", href: link(prefix, "newsList"), label: t.news, current: isUnder("/news") },
    { name: "user", href: link(prefix, "userInfo"), label: t.me, current: isUnder("/user"), tabOnly: true },
  ];
}
