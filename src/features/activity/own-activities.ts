import { onMount } from "nanostores";
import { type Activity, activityInfo } from "../../api/activity.ts";
import { $token, send } from "../../api/client.ts";
import { type ResourceStore, resource } from "../../lib/resource.ts";

export interface OwnActivity {
  activity: Activity;
  isPast: boolean;
}

/** The member's booked activities: upcoming ones first, the next at the top; past ones after them, the latest first, by the server's clock. */
export function ownActivities<Problem>(toProblem: (error: unknown) => Problem): ResourceStore<OwnActivity[], Problem> {
  const store = resource(async () => {
    const { list, server_time } = await send(activityInfo);
    const own = list
      .filter(({ my_status }) => my_status === "booked")
      .map((activity) => ({ activity, isPast: Date.parse(activity.ends_at) <= Date.parse(server_time) }));
    return [...own.filter(({ isPast }) => !isPast), ...own.filter(({ isPast }) => isPast).reverse()];
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.reset()));
  return store;
}
