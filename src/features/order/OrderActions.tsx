import { useState } from "react";
import type { Order } from "#src/api/order.ts";
import { canBePaidLate } from "#src/api/order-status.ts";
import { link, productLink } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { Confirm } from "#src/ui/Confirm.tsx";
import type { OrderPanelProps } from "./props.ts";

interface CheckNowProps {
  check: () => Promise<void>;
  label: string;
  /** The text shown after a check that changed nothing. */
  unchanged: string;
  variant: "outline" | "link";
}

/** The last of several ways. */
const quiet = "inline-flex items-center justify-self-start min-h-12 font-semibold text-ink";

/** Where it stands: on the pay card, under its code, or below an order. */
const placements = {
  outline: "grid gap-2 justify-items-center mt-auto lg:order-3",
  link: "grid gap-2 justify-items-start",
};

/** A button that checks the payment at once instead of waiting for the next poll. */
export function CheckNow({ check, label, unchanged, variant }: CheckNowProps) {
  const [state, setState] = useState<"idle" | "checking" | "done">("idle");
  async function checkNow() {
    setState("checking");
    await check();
    setState("done");
  }
  return (
    <p className={placements[variant]}>
      <Button className={variant === "link" ? quiet : ""} variant={variant} busy={state === "checking"} onClick={checkNow}>
        {label}
      </Button>
      <span className="not-empty:text-sm" role="status">
        {state === "done" && unchanged}
      </span>
    </p>
  );
}

/** Cancels an unpaid order, once the member has confirmed it in place. */
function CancelOrder({ cancel, t }: Pick<OrderPanelProps, "cancel" | "t">) {
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await cancel();
    setBusy(false);
  }
  return <Confirm label={t.cancel} body={t.cancelBody} busy={busy} onConfirm={confirm} />;
}

/** Returns where to order again: what was cancelled on the page that confirms it as it was, everything else on the page that sells it. */
function getRebuyLink({ order, outcome, prefix }: Pick<OrderPanelProps, "outcome" | "prefix"> & { order: Order }): string {
  const [item] = order.items;
  if (!item) return link(prefix, "mall");
  if (outcome !== "cancelled" || item.sku_uid === null) return productLink(prefix, item);
  return link(prefix, "orderConfirm", { uid: item.uid }, { sku: item.sku_uid, quantity: String(item.quantity) });
}

/** Links onwards from an order that is not pending; the server decides in `order.actions` what the member may do. */
export function OrderActions({ snapshot: { order, now, takenAt }, check, cancel, outcome, prefix, t, pass }: OrderPanelProps) {
  if (order.status === "pending") return order.actions.cancel && !takenAt ? <CancelOrder cancel={cancel} t={t} /> : null;
  const isClosed = order.status === "closed";
  const ownPass = !isClosed && pass;
  // What leads in comes first, as a sign: the pass that was bought, or, once an order is over, buying again.
  const isRebuyFirst = !ownPass && (isClosed || order.status === "completed");
  const orders = ["userOrderList", t.orders] as const;
  const [[first, firstLabel], [second, secondLabel]] = ownPass
    ? ([["userInfo", ownPass.ownPass], orders] as const)
    : ([orders, ["mall", (pass ?? t).browse]] as const);
  const rebuy = order.actions.rebuy && (
    <ButtonLink
      className={isRebuyFirst ? "" : quiet}
      size="lg"
      sign={isRebuyFirst}
      variant={isRebuyFirst ? "solid" : "link"}
      href={getRebuyLink({ order, outcome, prefix })}
    >
      {ownPass ? ownPass.extend : outcome === "cancelled" ? t.again : t.rebuy}
    </ButtonLink>
  );
  return (
    <>
      {/* Two side by side, and a sign or the last across both. */}
      <p className="ways grid grid-cols-2 gap-3 mt-2 max-w-107 [&>:is(.link,.sign)]:col-span-full [&>.sign]:justify-between">
        {isRebuyFirst && rebuy}
        <ButtonLink
          size="lg"
          sign={Boolean(ownPass)}
          variant={ownPass ? "solid" : isRebuyFirst ? "outline" : "neutral"}
          href={link(prefix, first)}
        >
          {firstLabel}
        </ButtonLink>
        <ButtonLink
          size="lg"
          className={ownPass ? "col-span-full" : ""}
          variant="outline"
          href={link(prefix, second) + (pass && isClosed ? "#passes" : "")}
        >
          {secondLabel}
        </ButtonLink>
        {!isRebuyFirst && rebuy}
      </p>
      {!takenAt && canBePaidLate(order, now()) && (
        <CheckNow check={check} label={t.checkLate} unchanged={t.nothingNew} variant="link" />
      )}
    </>
  );
}
