import { atom } from "nanostores";
import type { IconName } from "./icons.ts";

export interface Action {
  label: string;
  click?: () => void;
}

export interface Notification {
  /** A timestamp, raised by one until it is free. */
  id: string;
  title: string;
  description?: string;
  /** By default the colour's own. Stands in for an avatar that does not arrive. */
  icon?: IconName;
  avatar?: { src: string; alt: string };
  closeButton: boolean;
  /** Milliseconds; 0 stays until it is closed. */
  timeout: number;
  actions: readonly Action[];
  /** Runs when it goes, whether closed, timed out or acted upon. */
  callback?: () => void;
  color: "primary" | "info" | "warning" | "error";
}

export const $notifications = atom<readonly Notification[]>([]);

const clocks = new Map<string, { left: number; since: number; timer?: ReturnType<typeof setTimeout> }>();
/** Those that somebody looks at: their clocks stand still, also when an update sets them anew. */
const held = new Set<string>();

function freeId(): string {
  let id = Date.now();
  while ($notifications.get().some((one) => one.id === String(id))) id += 1;
  return String(id);
}

function stop(id: string): void {
  clearTimeout(clocks.get(id)?.timer);
  clocks.delete(id);
}

function run(id: string): void {
  const clock = clocks.get(id);
  if (!clock || clock.timer || held.has(id)) return;
  clock.since = Date.now();
  clock.timer = setTimeout(() => remove(id), Math.max(0, clock.left));
}

function arm({ id, timeout }: Notification): void {
  stop(id);
  if (timeout <= 0) return;
  clocks.set(id, { left: timeout, since: Date.now() });
  run(id);
}

/** Stops the clock of a notification while it is hovered or focused. */
export function pause(id: string): void {
  held.add(id);
  const clock = clocks.get(id);
  if (!clock?.timer) return;
  clearTimeout(clock.timer);
  clocks.set(id, { left: clock.left - (Date.now() - clock.since), since: 0 });
}

export function resume(id: string): void {
  held.delete(id);
  run(id);
}

/** Shows a notification and returns its id. One that says the same as one on screen starts that one's clock again instead. */
export function add(given: Partial<Omit<Notification, "id">> & { title: string }): string {
  const same = $notifications
    .get()
    .find((one) => one.title === given.title && one.description === given.description && !given.actions && !given.callback);
  if (same) {
    update(same.id, {});
    return same.id;
  }
  const notification: Notification = {
    closeButton: true,
    timeout: 5000,
    actions: [],
    color: "primary",
    ...given,
    id: freeId(),
  };
  $notifications.set([...$notifications.get(), notification]);
  arm(notification);
  return notification.id;
}

/** Changes what is given of a notification, and starts its clock again; nothing happens when it has gone. */
export function update(id: string, changes: Partial<Omit<Notification, "id">>): void {
  const now = $notifications.get();
  const found = now.find((one) => one.id === id);
  if (!found) return;
  const changed = { ...found, ...changes };
  $notifications.set(now.map((one) => (one.id === id ? changed : one)));
  arm(changed);
}

export function remove(id: string): void {
  const now = $notifications.get();
  const gone = now.find((one) => one.id === id);
  if (!gone) return;
  stop(id);
  held.delete(id);
  $notifications.set(now.filter((one) => one.id !== id));
  gone.callback?.();
}

export function clear(): void {
  for (const { id } of $notifications.get()) remove(id);
}

/** Runs an action and closes its notification. */
export function act(id: string, action: Action): void {
  action.click?.();
  remove(id);
}

// The region's script comes with the first notification.
const off = $notifications.listen(() => {
  off();
  const region = typeof document === "undefined" ? null : document.getElementById("notifications");
  if (region) void import("./region.ts").then(({ mount }) => mount(region));
});
