import type { Prefix } from "../../../i18n/locale.ts";

/** One page of each kind that needs no session, without prefix; a missing one stands for 404. The test content has these events and news. */
export const samplePaths = [
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

/** The reading pages, whose weight has a budget. */
export const readingPaths = [
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

export function prefixPath(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}
