import { useEffect, useState } from "react";
import { send } from "#src/api/client.ts";
import { getExpiryAfter, packageInfo } from "#src/api/package.ts";
import { $session, checkSession } from "#src/features/session/store.ts";
import { resource } from "#src/lib/resource.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Day } from "#src/ui/Day.tsx";
import { island } from "#src/ui/Island.tsx";
import { OrderPage } from "./OrderPage.tsx";
import { LiveOrder, type OrderViewProps } from "./OrderView.tsx";
import type { OrderPageProps, OrderTexts } from "./props.ts";

type PassTexts = Required<OrderTexts>["pass"];

/** Returns when the membership that a paid order has bought ends; undefined while that is unknown. */
function useValidUntil({ order, takenAt }: OrderPageProps["snapshot"]): string | undefined {
  const session = useStore($session);
  const isPaid = order.kind === "package" && order.status === "paid" && !takenAt;
  useEffect(() => {
    if (isPaid) void checkSession();
  }, [isPaid]);
  const membership = isPaid && session.state === "member" ? session.user.membership : null;
  return membership?.package_uid === order.items[0]?.uid ? membership?.expires_at : undefined;
}

/** Shows what a package will do to the member's expiry once it is paid. */
function MembershipExpiry({ snapshot: { order }, t }: Pick<OrderPageProps, "snapshot"> & { t: PassTexts }) {
  const [item] = order.items;
  const [store] = useState(() =>
    resource(
      () => send(packageInfo, { uid: item?.uid ?? "" }),
      () => null,
    ),
  );
  const preview = useStore(store.$state);
  const after = preview.state === "ready" && item ? getExpiryAfter(preview.data, item.quantity) : null;
  const now = preview.state === "ready" ? preview.data.preview?.current_expires_at : null;
  return (
    <section
      className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 items-baseline text-sm text-ink-2 lg:gap-x-5"
      aria-label={t.expiry}
    >
      <h2 className="col-span-full font-semibold text-sm text-ink font-sans tracking-normal">{t.expiryNow}</h2>
      <p>{t.expiryFrom}</p>
      <p className={`text-ink lg:text-xl ${now ? "numeral" : ""}`}>
        {preview.state === "ready" ? now ? <Day date={now} form="date" /> : t.noPass : "\u00a0"}
      </p>
      <p>{t.expiryTo}</p>
      <p className="numeral text-xl leading-[1.2] text-accent-ink lg:text-3xl">
        {after ? <Day date={after} form="date" /> : preview.state === "ready" ? "–" : "\u00a0"}
      </p>
    </section>
  );
}

/** Shows the order of a package: what it will do to the membership, then how long that lasts. */
function PackageOrderPage(props: OrderPageProps) {
  const { snapshot, pass } = props;
  const isPending = snapshot.order.status === "pending" && !snapshot.takenAt;
  return (
    <OrderPage
      {...props}
      validUntil={useValidUntil(snapshot)}
      expiry={isPending && pass && <MembershipExpiry snapshot={snapshot} t={pass} />}
    />
  );
}

/** The page of a package's order, without what orders of goods have no use for. */
export const PackageOrderView = island((props: OrderViewProps) => <LiveOrder {...props} Page={PackageOrderPage} />);
