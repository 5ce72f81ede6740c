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
  /** Where it is not the page's; the close button then needs its label in it. */
  lang?: string;
  closeLabel?: string;
  /** Default: the colour's icon. With an avatar, it stands for a picture that is missing or fails, as in `Avatar`. */
  icon?: IconName;
  avatar?: { alt: string; src?: string; text?: string };
  closeButton: boolean;
  /** Milliseconds; 0 for until it is closed. */
  timeout: number;
  actions: readonly Action[];
  /** Runs when the notification is removed: closed, timed out or acted upon. */
  callback?: () => void;
  color: "primary" | "info" | "warning" | "error";
}

export const $notifications = atom<readonly Notification[]>([]);

const timers = new Map<string, { left: number; since: number; handle?: ReturnType<typeof setTimeout> }>();
/** Ids of hovered or focused notifications: their timers stand still, also after an update. */
const paused = new Set<string>();

function createId(): string {
  let id = Date.now();
  while ($notifications.get().some((notification) => notification.id === String(id))) id += 1;
  return String(id);
}

function stopTimer(id: string): void {
  clearTimeout(timers.get(id)?.handle);
  timers.delete(id);
}

function runTimer(id: string): void {
  const timer = timers.get(id);
  if (!timer || timer.handle || paused.has(id)) return;
  timer.since = Date.now();
  timer.handle = setTimeout(() => remove(id), Math.max(0, timer.left));
}

function startTimer({ id, timeout }: Notification): void {
  stopTimer(id);
  if (timeout <= 0) return;
  timers.set(id, { left: timeout, since: Date.now() });
  runTimer(id);
}

/** Stops the timer of a notification while it is hovered or focused. */
export function pause(id: string): void {
  paused.add(id);
  const timer = timers.get(id);
  if (!timer?.handle) return;
  clearTimeout(timer.handle);
  timers.set(id, { left: timer.left - (Date.now() - timer.since), since: 0 });
}

export function resume(id: string): void {
  paused.delete(id);
  runTimer(id);
}

/** Returns all that a notification shows and does, but for its functions, as text. */
function toContent({ title, description, lang, closeLabel, icon, avatar, closeButton, timeout, color }: Notification): string {
  const { alt, src, text } = avatar ?? {};
  return JSON.stringify([title, description, lang, closeLabel, icon, alt, src, text, closeButton, timeout, color]);
}

const hasFunctions = ({ actions, callback }: Notification) => actions.length > 0 || callback !== undefined;

/** Shows a notification and returns its id. Where an equal one is on screen, and neither has an action or a callback, it restarts that one's timer instead. */
export function add(options: Partial<Omit<Notification, "id">> & { title: string }): string {
  const notification: Notification = {
    closeButton: true,
    timeout: 5000,
    actions: [],
    color: "primary",
    ...options,
    id: createId(),
  };
  const equal = $notifications
    .get()
    .find((shown) => !hasFunctions(shown) && !hasFunctions(notification) && toContent(shown) === toContent(notification));
  if (equal) {
    update(equal.id, {});
    return equal.id;
  }
  $notifications.set([...$notifications.get(), notification]);
  startTimer(notification);
  return notification.id;
}

/** Changes a notification and restarts its timer; does nothing when it is gone. */
export function update(id: string, changes: Partial<Omit<Notification, "id">>): void {
  const list = $notifications.get();
  const notification = list.find((item) => item.id === id);
  if (!notification) return;
  const changed = { ...notification, ...changes };
  $notifications.set(list.map((item) => (item.id === id ? changed : item)));
  startTimer(changed);
}

export function remove(id: string): void {
  const list = $notifications.get();
  const removed = list.find((item) => item.id === id);
  if (!removed) return;
  stopTimer(id);
  paused.delete(id);
  $notifications.set(list.filter((item) => item.id !== id));
  removed.callback?.();
}

export function clear(): void {
  for (const { id } of $notifications.get()) remove(id);
}

/** Runs an action and closes its notification. */
export function act(id: string, action: Action): void {
  action.click?.();
  remove(id);
}

// Loads the region's script with the first notification.
const unsubscribe = $notifications.listen(() => {
  unsubscribe();
  const region = typeof document === "undefined" ? null : document.getElementById("notifications");
  if (region) void import("./live-region.ts").then(({ mount }) => mount(region));
});
