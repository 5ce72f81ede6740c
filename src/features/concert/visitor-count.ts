import { fetchPublic } from "../../api/fetch-public.ts";
import { concertId, getPlanPath } from "../../api/paths.ts";
import { whenIdle } from "../../lib/when-idle.ts";

/** On the banner's page, a visitor's count is asked for once, after the page is idle; a member's plan is the island's. The answer is not read, and a failure is nobody's business. */
export function countWhenIdle(): void {
  if (document.documentElement.hasAttribute("data-token")) return;
  whenIdle(() => void fetchPublic(getPlanPath, { id: concertId }).catch(() => {}));
}
