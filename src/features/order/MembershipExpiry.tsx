import { useEffect, useState } from "react";
import type { DataOf } from "../../api/call.ts";
import { send } from "../../api/client.ts";
import { packageInfo } from "../../api/package.ts";
import { formatDate } from "../../lib/date.ts";
import { resource } from "../../lib/resource.ts";
import { useStore } from "../../lib/use-store.ts";
import { $session, checkSession } from "../session/store.ts";
import type { OrderPageProps } from "./props.ts";

const day = 24 * 3600_000;

/** Returns when a membership would end after buying `quantity` packages: the server previews one, and each further one adds its days. Null where the package cannot be bought. */
export function getExpiryAfter({ info, preview }: DataOf<typeof packageInfo>, quantity: number): string | null {
  if (!preview?.new_expires_at) return null;
  return new Date(Date.parse(preview.new_expires_at) + (quantity - 1) * info.days * day).toISOString();
}

/** Shows what a package does to the member's expiry: the preview before payment, the real date after it. */
export function MembershipExpiry({ snapshot: { order }, t }: Pick<OrderPageProps, "snapshot" | "t">) {
  const [item] = order.items;
  const [store] = useState(() =>
    resource(
      () => send(packageInfo, { uid: item?.uid ?? "" }),
      () => null,
    ),
  );
  const preview = useStore(store.$state);
  const session = useStore($session);
  const isPaid = order.status === "paid";
  useEffect(() => {
    if (isPaid) void checkSession();
  }, [isPaid]);
  const date = (iso: string) => formatDate(new Date(iso));
  const membership = session.state === "member" ? session.user.membership : null;
  if (isPaid) {
    return (
      <section
        className="bg-surface p-5 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 items-baseline lg:p-7"
        aria-label={t.expiry}
      >
        <p className="text-xs text-ink-2 font-semibold">{t.expiryNow}</p>
        <p className="font-bold text-2xl leading-[1.2] font-display text-accent-ink">
          {membership?.package_uid === item?.uid && membership ? date(membership.expires_at) : "\u00a0"}
        </p>
      </section>
    );
  }
  if (order.status !== "pending") return null;
  const after = preview.state === "ready" && item ? getExpiryAfter(preview.data, item.quantity) : null;
  const now = preview.state === "ready" ? preview.data.preview?.current_expires_at : null;
  return (
    <section className="bg-surface p-5 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 items-baseline lg:p-7" aria-label={t.expiry}>
      <p className="text-xs text-ink-2 font-semibold">{t.expiryFrom}</p>
      <p>{preview.state === "ready" ? (now ? date(now) : t.noPass) : "\u00a0"}</p>
      <p className="text-xs text-ink-2 font-semibold">{t.expiryTo}</p>
      <p className="font-bold text-2xl leading-[1.2] font-display text-accent-ink">{after ? date(after) : "\u00a0"}</p>
    </section>
  );
}
