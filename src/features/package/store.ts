import { atom, onMount } from "nanostores";
import * as v from "valibot";
import type { DataOf } from "../../api/call.ts";
import { $token, newId, send } from "../../api/client.ts";
import { type MemberPackage, packageCreateOrder, packageInfo, packageLists } from "../../api/package.ts";
import { getChangedPrice, isUnknownUid } from "../../api/problem.ts";
import { onReturn } from "../../lib/page-lifecycle.ts";
import { resetFailureOnline, resource, staleWhileRevalidate } from "../../lib/resource.ts";

/** A package with the preview of what buying it does to the member's expiry; the preview is null for a visitor. */
export type PackageData = DataOf<typeof packageInfo>;

/** Converts the packages that the build fetched, where nobody is logged in. */
export function toInitial(list: readonly MemberPackage[]): PackageData[] {
  return list.map((info) => ({ info, preview: null }));
}

/** Loads all packages on sale and the one of `uid`, which may not be on sale; with previews when a member is logged in. */
async function loadPackages(uid: string): Promise<PackageData[]> {
  const listed = toInitial((await send(packageLists)).list);
  const isListed = listed.some(({ info }) => info.uid === uid);
  const loadPackage = (packageUid: string) => send(packageInfo, { uid: packageUid });
  const others = isListed ? [] : [await loadPackage(uid)];
  if (!$token.get()) return [...listed, ...others];
  return [...(await Promise.all(listed.map(({ info }) => loadPackage(info.uid)))), ...others];
}

/** Holds the packages; loads them again on return to the page and on login and logout. */
export function packageStore<Problem>(uid: () => string, toProblem: (error: unknown) => Problem, initial?: PackageData[]) {
  const store = resource<PackageData[], Problem | { kind: "unknown" }>(
    () => loadPackages(uid()),
    (error) => (isUnknownUid(error) ? { kind: "unknown" } : toProblem(error)),
  );
  const $packages = staleWhileRevalidate(store, initial);
  onMount($packages, () => {
    const stops = [onReturn(store.load), $token.listen(() => void store.load())];
    return () => stops.forEach((stop) => void stop());
  });
  return { $packages, load: store.load };
}

/** The state of a purchase. `done` stays until the page is left, so that further taps place no second order. */
export type Buying =
  | { state: "idle" }
  | { state: "busy" }
  | { state: "done"; order_sn: string }
  | { state: "priceChanged"; oldPriceFen: number; newPriceFen: number }
  | { state: "failed"; error: unknown };

export const $buying = atom<Buying>({ state: "idle" });
resetFailureOnline($buying, { state: "idle" });

// Logging out clears it: it begins as a key of `lib/draft.ts`. A draft belongs to one path; a purchase is the same on every page.
const key = "DRAFT PASS_REQUEST";
// A tab may hold a value of an earlier build: the names of its fields stay.
const storedRequest = v.object({ of: v.string(), id: v.string() });

/**
 * Returns the idempotency key of a purchase. The tab stores it, so that retries and reloads place one order. Another package or price gets another key;
 * a checkout keeps its key instead and stores the payloads sent under it, since its fields change between attempts.
 */
function getRequestId(purchaseKey: string): string {
  try {
    const stored = v.safeParse(storedRequest, JSON.parse(sessionStorage.getItem(key) ?? "null"));
    if (stored.success && stored.output.of === purchaseKey) return stored.output.id;
  } catch {}
  const id = newId();
  try {
    sessionStorage.setItem(key, JSON.stringify({ of: purchaseKey, id }));
  } catch {
    memoryRequest = { purchaseKey, id: memoryRequest?.purchaseKey === purchaseKey ? memoryRequest.id : id };
    return memoryRequest.id;
  }
  return id;
}
/** The request while the tab stores nothing. */
let memoryRequest: { purchaseKey: string; id: string } | undefined;

function clearRequest(): void {
  memoryRequest = undefined;
  try {
    sessionStorage.removeItem(key);
  } catch {}
}

/** Orders one package at the price that the page shows. Does nothing while that is in flight and once it is done. */
export async function buy({ uid, pay_fen }: Pick<MemberPackage, "uid" | "pay_fen">): Promise<void> {
  const { state } = $buying.get();
  if (state === "busy" || state === "done") return;
  $buying.set({ state: "busy" });
  const client_request_id = getRequestId(`${uid} ${pay_fen}`);
  try {
    const payload = { uid, quantity: 1, expected_pay_fen: pay_fen, client_request_id };
    const { order_sn } = await send(packageCreateOrder, payload, { notify: false, isUserAction: true });
    clearRequest();
    $buying.set({ state: "done", order_sn });
  } catch (error) {
    const newPriceFen = getChangedPrice(error);
    $buying.set(
      newPriceFen === null ? { state: "failed", error } : { state: "priceChanged", oldPriceFen: pay_fen, newPriceFen },
    );
  }
}

/** Starts a new purchase, after coming back from the order or choosing another package. */
export function startOver(): void {
  if ($buying.get().state !== "busy") $buying.set({ state: "idle" });
}
