import { atom, onMount, type ReadableAtom } from "nanostores";
import { type Activity, activityBooking, activityInfo } from "../../api/activity.ts";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { onReturn } from "../../lib/on-return.ts";
import { resource } from "../../lib/resource.ts";

/** `taken`: it was full when the request came. `already`: an earlier one had booked it. */
export type Seat<Problem> =
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

/** One activity, and the member's place at it. */
export function activityStore<Problem>(activity_uid: string, toProblem: (caught: unknown) => Problem) {
  const activity = resource<Activity | null, Problem>(
    async () => (await send(activityInfo)).list.find((one) => one.activity_uid === activity_uid) ?? null,
    toProblem,
  );
  onMount(activity.$state, () => onReturn(activity.load));
  const $seat = atom<Seat<Problem>>({ state: "idle" });
  onMount($seat, () => {
    // The line is back: what failed for want of it is no news any more.
    const forget = () => $seat.get().state === "failed" && $seat.set({ state: "idle" });
    if (typeof window === "undefined") return;
    addEventListener("online", forget);
    return () => removeEventListener("online", forget);
  });

  /** Books it once, however often it is pressed. After a refusal the page shows how things are now. */
  async function book(): Promise<void> {
    if ($seat.get().state === "booking") return;
    $seat.set({ state: "booking" });
    try {
      // Why it cannot be had is said in place; a session that is over leads to login.
      const booked = await send(activityBooking, { activity_uid }, { notify: false, acted: true });
      activity.set(booked.activity);
      $seat.set({ state: "booked" });
    } catch (caught) {
      const refusal = caught instanceof ApiError ? refusals.get(caught.code) : undefined;
      if (refusal) await activity.load();
      $seat.set(refusal ? { state: refusal } : { state: "failed", problem: toProblem(caught) });
    }
  }
  const $shown: ReadableAtom<Seat<Problem>> = $seat;
  return { activity, $seat: $shown, book };
}
