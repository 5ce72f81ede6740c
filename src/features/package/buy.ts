import { atom, onMount } from "nanostores";
import * as v from "valibot";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { type MemberPackage, packageCreateOrder } from "../../api/package.ts";
import { newId } from "../../lib/new-id.ts";

/** How far buying is. `done` stays until the page has gone, so that whoever taps on makes no second order. */
export type Buying =
  | { state: "idle" }
  | { state: "busy" }
  | { state: "done"; order_sn: string }
  | { state: "priceChanged"; was: number; now: number }
  | { state: "failed"; caught: unknown };

export const $buying = atom<Buying>({ state: "idle" });
onMount($buying, () => {
  // The line is back: what failed for want of it is no news any more.
  const forget = () => $buying.get().state === "failed" && $buying.set({ state: "idle" });
  if (typeof window === "undefined") return;
  addEventListener("online", forget);
  return () => removeEventListener("online", forget);
});

// Among the drafts: it goes with them when somebody logs out.
const key = "DRAFT PASS_REQUEST";
const requestShape = v.object({ of: v.string(), id: v.string() });
const priceShape = v.object({ pay_fen: v.number() });

/** One id for one wish, kept for the tab: however often it is sent, and through a reload, it makes one order. */
function requestOf(wish: string): string {
  try {
    const held = v.safeParse(requestShape, JSON.parse(sessionStorage.getItem(key) ?? "null"));
    if (held.success && held.output.of === wish) return held.output.id;
  } catch {}
  const id = newId();
  try {
    sessionStorage.setItem(key, JSON.stringify({ of: wish, id }));
  } catch {
    memory = { of: wish, id: memory?.of === wish ? memory.id : id };
    return memory.id;
  }
  return id;
}
let memory: { of: string; id: string } | undefined;

function forget(): void {
  memory = undefined;
  try {
    sessionStorage.removeItem(key);
  } catch {}
}

function newPrice(caught: unknown): number | null {
  if (!(caught instanceof ApiError) || caught.code !== codes.priceChanged) return null;
  const data = v.safeParse(priceShape, caught.envelope.data);
  return data.success ? data.output.pay_fen : null;
}

/** Orders one pass at the price that the page shows. While that is under way, and once it is done, asking again does nothing. */
export async function buy({ uid, pay_fen }: Pick<MemberPackage, "uid" | "pay_fen">): Promise<void> {
  const { state } = $buying.get();
  if (state === "busy" || state === "done") return;
  $buying.set({ state: "busy" });
  const client_request_id = requestOf(`${uid} ${pay_fen}`);
  try {
    const payload = { uid, quantity: 1, expected_pay_fen: pay_fen, client_request_id };
    const { order_sn } = await send(packageCreateOrder, payload, { notify: false, acted: true });
    forget();
    $buying.set({ state: "done", order_sn });
  } catch (caught) {
    const now = newPrice(caught);
    $buying.set(now === null ? { state: "failed", caught } : { state: "priceChanged", was: pay_fen, now });
  }
}

/** Back from the order, or another pass chosen: a new wish. */
export function startOver(): void {
  if ($buying.get().state !== "busy") $buying.set({ state: "idle" });
}
