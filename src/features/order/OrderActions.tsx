import { useState } from "react";
import { link, productLink } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import type { OrderPanelProps } from "./props.ts";

interface CheckNowProps {
  check: () => Promise<void>;
  label: string;
  /** The text shown after a check that changed nothing. */
  unchanged: string;
  variant: "outline" | "link";
}

/** Where it stands: on the pay card, under its code, or below an order. */
const placements = {
  outline: "grid gap-2 justify-items-center mt-auto lg:order-3",
  link: "grid gap-2 justify-items-center sm:justify-items-start",
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
      <Button
        className={variant === "link" ? "text-ink-2" : ""}
        variant={variant}
        busy={state === "checking"}
        onClick={checkNow}
      >
        {label}
      </Button>
      <span className="not-empty:text-sm" role="status">
        {state === "done" && unchanged}
      </span>
    </p>
  );
}

/** Cancels an unpaid order. It asks nothing: the order can be placed again from where it stood. */
function CancelOrder({ cancel, label }: { cancel: () => Promise<void>; label: string }) {
  const [busy, setBusy] = useState(false);
  async function press() {
    setBusy(true);
    await cancel();
    setBusy(false);
  }
  return (
    <p>
      <Button variant="link" className="text-ink-2" busy={busy} onClick={press}>
        {label}
      </Button>
    </p>
  );
}

/** The last of several ways. */
const quiet = "flex items-center min-h-12 font-semibold text-ink";

/** Links onwards from an order that is not pending; the server decides in `order.actions` what the member may do. */
export function OrderActions({ snapshot: { order, takenAt }, check, cancel, outcome, prefix, t, pass }: OrderPanelProps) {
  const [item] = order.items;
  if (order.status === "pending")
    return order.actions.cancel && !takenAt ? <CancelOrder cancel={cancel} label={t.cancel} /> : null;
  const isClosed = order.status === "closed";
  const orders = ["userOrderList", t.orders] as const;
  const [[first, firstLabel], [second, secondLabel]] =
    pass && !isClosed ? ([["userInfo", pass.ownPass], orders] as const) : ([orders, ["mall", t.browse]] as const);
  const rebuy = order.actions.rebuy && (
    <ButtonLink
      className={isClosed ? "" : quiet}
      size="lg"
      sign={isClosed}
      variant={isClosed ? "solid" : "link"}
      href={item ? productLink(prefix, item) : link(prefix, "mall")}
    >
      {pass && !isClosed ? pass.extend : t.rebuy}
    </ButtonLink>
  );
  return (
    <>
      {/* On a phone two side by side, and the first or the last across both. */}
      <p className="ways grid grid-cols-2 sm:flex flex-wrap items-center gap-3 mt-2 [&>:is(.link,.sign)]:col-span-full [&>.link]:justify-center [&>.sign]:justify-between">
        {isClosed && rebuy}
        <ButtonLink size="lg" variant={isClosed ? "outline" : "neutral"} href={link(prefix, first)}>
          {firstLabel}
        </ButtonLink>
        <ButtonLink size="lg" variant="outline" href={link(prefix, second)}>
          {secondLabel}
        </ButtonLink>
        {!isClosed && rebuy}
      </p>
      {(outcome === "expired" || outcome === "cancelled") && (
        <CheckNow check={check} label={t.checkNow} unchanged={t.nothingNew} variant="link" />
      )}
    </>
  );
}
