import type { Prefix } from "../../../i18n/locale.ts";

/** One page of each kind that needs no session, in a visitor's prefix; a missing one stands for 404. Shows and news of these names are written for the tests. */
export const kinds = [
  "/",
  "/event",
  "/event/entrance",
  "/event/spring",
  "/news",
  "/news/page/2",
  "/news/sample-1",
  "/about/terms",
  "/mall",
  "/mall/item/vinyl",
  "/mall/vip/regular",
  "/user/login",
  "/user/ui",
  "/no/such/page",
  "/500",
] as const;

/** Those that are only read: what they weigh is promised. */
export const readingKinds = [
  "/",
  "/event",
  "/event/entrance",
  "/event/spring",
  "/news",
  "/news/page/2",
  "/about/terms",
  "/no/such/page",
  "/500",
] as const;

export function at(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}
