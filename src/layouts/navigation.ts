import { frame } from "../../i18n/frame.ts";
import { type Here, link } from "../routes.ts";

export interface NavItem {
  name: "home" | "event" | "mall" | "news" | "user";
  href: string;
  label: string;
  current: boolean;
  /** Stands in the bottom bar only: the header has a place of its own for it. */
  tabOnly?: boolean;
}

/** The main places, in the visitor's prefix. */
export function navigation({ prefix, locale, path }: Here): NavItem[] {
  const t = frame[locale];
  const under = (start: string) => path === start || path.startsWith(`${start}/`);
  // A place at a show is booked under /mall.
  const atShow = under("/event") || under("/mall/order_event");
  return [
    { name: "home", href: link(prefix, "home"), label: t.home, current: path === "/" },
    { name: "event", href: link(prefix, "eventList"), label: t.events, current: atShow },
    { name: "mall", href: link(prefix, "mall"), label: t.mall, current: under("/mall") && !atShow },
    { name: "news", href: link(prefix, "newsList"), label: t.news, current: under("/news") },
    { name: "user", href: link(prefix, "userInfo"), label: t.me, current: under("/user"), tabOnly: true },
  ];
}
