import { onMount } from "nanostores";
import type { DataOf } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { type MemberPackage, packageCreateOrder, packageInfo, packageLists } from "#src/api/package.ts";
import { isUnknownUid, type Problem } from "#src/api/problem.ts";
import { purchaseStore } from "#src/features/purchase/store.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { resource, staleWhileRevalidate } from "#src/lib/resource.ts";

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

/** Holds the packages and the purchase of one; loads them again on return to the page and on login and logout. */
export function packageStore(uid: () => string, toProblem: (error: unknown) => Problem, initial?: PackageData[]) {
  const store = resource<PackageData[], Problem | { kind: "unknown" }>(
    () => loadPackages(uid()),
    (error) => (isUnknownUid(error) ? { kind: "unknown" } : toProblem(error)),
  );
  const $packages = staleWhileRevalidate(store, initial);
  onMount($packages, () => {
    const stops = [onReturn(store.load), $token.listen(() => void store.load())];
    return () => stops.forEach((stop) => void stop());
  });
  const purchase = purchaseStore(packageCreateOrder, toProblem, async () => {
    await store.load();
    return null;
  });
  /** Orders one package at the price that the page shows. */
  const buy = (info: Pick<MemberPackage, "uid" | "pay_fen">) =>
    purchase.buy(info.uid, (client_request_id) => ({
      uid: info.uid,
      quantity: 1,
      expected_pay_fen: info.pay_fen,
      client_request_id,
    }));
  return { ...purchase, $packages, load: store.load, buy };
}

export type PackageStore = ReturnType<typeof packageStore>;
