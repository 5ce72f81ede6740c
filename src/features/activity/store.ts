import { atom, onMount, type ReadableAtom } from "nanostores";
import { type Activity, activityBooking, activityCancel, activityInfo, findNextOpen } from "#src/api/activity.ts";
import type { DataOf } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import { type Snapshot, saveSnapshots, sendOrFind } from "#src/api/snapshot.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { type ResourceStore, resetFailureOnline, resource } from "#src/lib/resource.ts";

export interface OwnActivity {
  activity: Activity;
  isPast: boolean;
}

/** Returns the server's time in ms, and for what the device has stored its own: a snapshot's stands still. */
const getNow = ({ data, takenAt }: Snapshot<{ server_time: string }>): number =>
  takenAt ? Date.now() : Date.parse(data.server_time);

/** The member's booked activities: upcoming ones first, the next at the top; past ones after them, the latest first, by the server's clock. Without a connection, those that the device has stored, by its clock. */
export function ownActivities<Problem>(
  toProblem: (error: unknown) => Problem,
): ResourceStore<Snapshot<OwnActivity[]>, Problem> {
  const store = resource(async (isRefresh) => {
    const answer = await sendOrFind(activityInfo, undefined, isRefresh);
    const { data, takenAt } = answer;
    const now = getNow(answer);
    const own = data.list
      .filter(({ my_status }) => my_status === "booked")
      .map((activity) => ({ activity, isPast: Date.parse(activity.ends_at) <= now }));
    return { data: [...own.filter(({ isPast }) => !isPast), ...own.filter(({ isPast }) => isPast).reverse()], takenAt };
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.reset()));
  // A page of the back/forward cache may show a seat that was given back on another page.
  onMount(store.$state, () => onReturn(store.refresh));
  return store;
}

/**
 * State of booking a seat, and of giving it back. `taken`: the activity was full when the request arrived. `already`: an earlier request had booked it.
 * `stays`: it is checked in, or booking has closed.
 */
export type SeatState<Problem> =
  | { state: "idle" }
  | { state: "booking" | "returning" }
  | { state: "booked" | "returned" }
  | { state: Rejection }
  | { state: "failed"; problem: Problem };

type Rejection = "taken" | "already" | "closed" | "stays";

interface SeatAction {
  call: typeof activityBooking | typeof activityCancel;
  running: "booking" | "returning";
  done: "booked" | "returned";
  /** By code. */
  refusals: { [code: number]: Rejection };
}

const booking: SeatAction = {
  call: activityBooking,
  running: "booking",
  done: "booked",
  refusals: { [codes.full]: "taken", [codes.alreadyBooked]: "already", [codes.bookingClosed]: "closed" },
};
const returning: SeatAction = {
  call: activityCancel,
  running: "returning",
  done: "returned",
  refusals: { [codes.notAllowed]: "stays", [codes.bookingClosed]: "stays" },
};

export interface ActivitySnapshot extends Snapshot<Activity | null> {
  /** Another one that can be booked. */
  next?: Activity | undefined;
  isPast?: boolean;
}

/** Creates the store of one activity and the member's seat at it. Without a connection, it holds what the device has stored. */
export function activityStore<Problem>(activity_uid: string, toProblem: (error: unknown) => Problem) {
  let all: DataOf<typeof activityInfo> | undefined;
  const activity = resource<ActivitySnapshot, Problem>(async (isRefresh) => {
    const answer = await sendOrFind(activityInfo, undefined, isRefresh);
    const { data, takenAt } = answer;
    all = data;
    const found = data.list.find((listed) => listed.activity_uid === activity_uid);
    if (!found) return { data: null, takenAt };
    const now = getNow(answer);
    return { data: found, takenAt, next: findNextOpen(data.list, found, now), isPast: Date.parse(found.ends_at) <= now };
  }, toProblem);
  onMount(activity.$state, () => onReturn(activity.refresh));
  const $seat = atom<SeatState<Problem>>({ state: "idle" });
  resetFailureOnline($seat, { state: "idle" });

  /** Books the seat or gives it back; does nothing while a request is running. Reloads the activity after a refusal. */
  async function run({ call, running, done, refusals }: SeatAction): Promise<void> {
    const { state } = $seat.get();
    if (state === "booking" || state === "returning") return;
    $seat.set({ state: running });
    try {
      // The page shows the reason of a refusal in place; an expired session leads to login.
      const response = await send(call, { activity_uid }, { notify: false, isUserAction: true });
      const before = activity.$state.get();
      activity.set({ ...(before.state === "ready" && before.data), data: response.activity, takenAt: null });
      if (all) {
        all = { ...all, list: all.list.map((other) => (other.activity_uid === activity_uid ? response.activity : other)) };
        saveSnapshots(activityInfo, [[undefined, all]]);
      }
      $seat.set({ state: done });
    } catch (error) {
      const refusal = error instanceof ApiError ? refusals[error.code] : undefined;
      if (refusal) await activity.load();
      $seat.set(refusal ? { state: refusal } : { state: "failed", problem: toProblem(error) });
    }
  }
  const $readonlySeat: ReadableAtom<SeatState<Problem>> = $seat;
  return { activity, $seat: $readonlySeat, book: () => run(booking), giveBack: () => run(returning) };
}
