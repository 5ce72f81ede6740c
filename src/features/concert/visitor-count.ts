import { fetchPublic } from "../../api/fetch-public.ts";
import { concertId, getPlanPath } from "../../api/paths.ts";
import { whenIdle } from "../../lib/page-lifecycle.ts";

/** Counts a visitor of the banner's page once, when the page is idle; a member is counted by the island. Ignores the response and failures. */
export function countWhenIdle(): void {
  if (document.documentElement.hasAttribute("data-token")) return;
  whenIdle(() => void fetchPublic(getPlanPath, { id: concertId }).catch(() => {}));
}
