import { atom, onMount, type ReadableAtom } from "nanostores";
import { type Activity, activityBooking, activityInfo } from "../../api/activity.ts";
import { $token, send } from "../../api/client.ts";
import { ApiError, codes } from "../../api/envelope.ts";
import { onReturn } from "../../lib/page-lifecycle.ts";
import { type ResourceStore, resetFailureOnline, resource } from "../../lib/resource.ts";

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

/** State of booking a seat. `taken`: the activity was full when the request arrived. `already`: an earlier request had booked it. */
export type SeatState<Problem> =
  | { state: "idle" }
  | { state: "booking" }
  | { state: "booked" }
  | { state: "taken" }
  | { state: "already" }
  | { state: "closed" }
  | { state: "failed"; problem: Problem };

const refusals: ReadonlyMap<number, "taken" | "already" | "closed"> = new Map([
  [codes.full, "taken"],
  [codes.alreadyBooked, "already"],
  [codes.bookingClosed, "closed"],
]);

/** Creates the store of one activity and the member's seat at it. */
export function activityStore<Problem>(activity_uid: string, toProblem: (error: unknown) => Problem) {
  const activity = resource<Activity | null, Problem>(
    async () => (await send(activityInfo)).list.find((listed) => listed.activity_uid === activity_uid) ?? null,
    toProblem,
  );
  onMount(activity.$state, () => onReturn(activity.load));
  const $seat = atom<SeatState<Problem>>({ state: "idle" });
  resetFailureOnline($seat, { state: "idle" });

  /** Books the seat; does nothing while a request is running. Reloads the activity after a refusal. */
  async function book(): Promise<void> {
    if ($seat.get().state === "booking") return;
    $seat.set({ state: "booking" });
    try {
      // The page shows the reason of a refusal in place; an expired session leads to login.
      const response = await send(activityBooking, { activity_uid }, { notify: false, isUserAction: true });
      activity.set(response.activity);
      $seat.set({ state: "booked" });
    } catch (error) {
      const refusal = error instanceof ApiError ? refusals.get(error.code) : undefined;
      if (refusal) await activity.load();
      $seat.set(refusal ? { state: refusal } : { state: "failed", problem: toProblem(error) });
    }
  }
  const $readonlySeat: ReadableAtom<SeatState<Problem>> = $seat;
  return { activity, $seat: $readonlySeat, book };
}
