import { onMount } from "nanostores";
import type { DataOf } from "../../api/call.ts";
import { $token, send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { type MemberPackage, packageInfo, packageLists } from "../../api/package.ts";
import { onReturn } from "../../lib/on-return.ts";
import { resource } from "../../lib/resource.ts";
import { staleWhileRevalidate } from "../../lib/stale-while-revalidate.ts";

/** A pass, and what buying it would do to the expiry of whoever is logged in; null for a visitor. */
export type PackageData = DataOf<typeof packageInfo>;

/** The passes on sale, as the build knew them: nobody is logged in there. */
export function toInitial(list: readonly MemberPackage[]): PackageData[] {
  return list.map((info) => ({ info, preview: null }));
}

/** All passes on sale and the one at `uid`, which may not be; each with its preview where somebody is logged in. */
async function askPasses(uid: string): Promise<PackageData[]> {
  const listed = toInitial((await send(packageLists)).list);
  const isListed = listed.some(({ info }) => info.uid === uid);
  const own = (one: string) => send(packageInfo, { uid: one });
  const others = isListed ? [] : [await own(uid)];
  if (!$token.get()) return [...listed, ...others];
  return [...(await Promise.all(listed.map(({ info }) => own(info.uid)))), ...others];
}

function isUnknown(caught: unknown): boolean {
  return caught instanceof ApiError && (caught.code === codes.notFound || caught.code === codes.badParameter);
}

/** The passes as they are now: asked again on return to the page, and when somebody logs in or out. */
export function packageStore<Problem>(uid: () => string, toProblem: (caught: unknown) => Problem, known?: PackageData[]) {
  const store = resource<PackageData[], Problem | { kind: "unknown" }>(
    () => askPasses(uid()),
    (caught) => (isUnknown(caught) ? { kind: "unknown" } : toProblem(caught)),
  );
  const $passes = staleWhileRevalidate(store, known);
  onMount($passes, () => {
    const stop = [onReturn(store.load), $token.listen(() => void store.load())];
    return () => stop.forEach((end) => void end());
  });
  return { $passes, load: store.load };
}
