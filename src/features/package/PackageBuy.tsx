import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { package as texts } from "#i18n/package.ts";
import type { PublicStates } from "#i18n/state.ts";
import type { Purchase } from "#src/features/purchase/store.ts";
import { $session } from "#src/features/session/store.ts";
import { formatYuan } from "#src/lib/format.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { Dialog } from "#src/ui/Dialog.tsx";
import { getMembershipChange, getOffer, getUnavailableReason, type Offer } from "./membership-change.ts";
import type { PackageData, PackageStore } from "./store.ts";

interface ConfirmPurchaseProps {
  data: PackageData;
  /** The text of the button that opened the dialog. */
  title: string;
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  t: Pick<(typeof texts)["zh-CN"], "ask" | "askUntil" | "stay" | "order">;
}

/** Asks for confirmation of an order, with its price and the expiry that it leads to. */
function ConfirmPurchase({ data, title, open, onClose, onConfirm, t }: ConfirmPurchaseProps) {
  const change = getMembershipChange(data);
  return (
    <Dialog title={open ? title : ""} open={open} onClose={onClose}>
      {/* Reserves space: the date may load after the question. */}
      <p className="text-ink-2 min-h-[3.4em] mt-2">
        <span>{open && fill(t.ask, { price: formatYuan(data.info.pay_fen), days: data.info.days })}</span>{" "}
        {open && "after" in change && <DatedText text={t.askUntil} dates={{ date: { date: change.after, form: "date" } }} />}
      </p>
      <p className="ways end flex flex-wrap gap-3 mt-6 justify-end">
        <Button
          className="focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]"
          variant="ghost"
          size="lg"
          onClick={onClose}
        >
          {t.stay}
        </Button>
        <Button className="focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]" size="lg" onClick={onConfirm}>
          {t.order}
        </Button>
      </p>
    </Dialog>
  );
}

interface OfferButtonProps {
  offer: Offer;
  /** The text of a button that buys. */
  label: string;
  size: "xl" | "lg";
  sign?: boolean;
  busy: boolean;
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
}

function OfferButton({ offer, label, size, sign = false, busy, prefix, t }: OfferButtonProps) {
  const className = `focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none] ${sign ? "justify-between w-full h-auto min-h-[var(--h)] whitespace-normal leading-[1.15] text-left wrap-anywhere [&>span:first-child]:py-1.5 [&_.cell]:h-auto [&_.cell]:self-stretch [--b:var(--lit)] [--c:var(--on-lit)] [--over:var(--lit-hover)]" : ""}`;
  if (offer.kind === "own") {
    return (
      <ButtonLink className={className} size={size} sign={sign} href={link(prefix, "userInfo")}>
        {t.ownPass}
      </ButtonLink>
    );
  }
  const isBlocked = offer.kind === "blocked";
  return (
    <Button className={className} type="submit" size={size} sign={sign} busy={busy} disabled={isBlocked}>
      {isBlocked ? t[offer.reason] : label}
    </Button>
  );
}

interface PackageBuyProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  states: PublicStates;
  store: PackageStore;
  data: PackageData;
  /** Why the packages could not be loaded again; empty when they are up to date. */
  stale: string;
  /** What the package does to the member's expiry. */
  expiry: ReactElement;
  /** The radios that choose the package. */
  children: ReactElement;
}

/** Returns the message of a failed purchase, else an empty string. */
function formatFailure(purchase: Purchase, t: PackageBuyProps["t"]): string {
  if (purchase.state === "refused") {
    const { oldPriceFen, newPriceFen } = purchase.reason;
    return fill(t.priceChanged, { was: formatYuan(oldPriceFen), now: formatYuan(newPriceFen) });
  }
  return purchase.state === "failed" && purchase.problem.kind === "failed" ? purchase.problem.message : "";
}

/** The form that orders a package: a visitor logs in first, a member confirms. Its button stands twice: in the page and in the bar at the bottom of a phone. */
export function PackageBuy({ prefix, t, states, store, data, stale, expiry, children }: PackageBuyProps) {
  const purchase = useStore(store.$purchase);
  const [isConfirming, setConfirming] = useState(false);
  const { info } = data;
  const offer = getOffer(data, getMembershipChange(data));
  const action = offer.kind === "buy" ? offer.action : "open";
  const price = formatYuan(info.pay_fen);
  const perYear = info.days === 365 ? fill(t.perYear, { price }) : fill(t.perDays, { price, days: info.days });
  const label = fill(t[action], { title: info.title, price: perYear });
  const busy = purchase.state === "placing" || purchase.state === "placed";
  useEffect(() => {
    if (purchase.state === "placed") location.assign(link(prefix, "userOrder", { order_sn: purchase.order_sn }));
  }, [purchase, prefix]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (offer.kind !== "buy" || busy) return;
    // Read from the store: the first render always shows a visitor.
    if ($session.get().state !== "visitor") setConfirming(true);
    else location.assign(link(prefix, "login", {}, { redirect: link("", "vip", { uid: info.uid }) }));
  };
  const button = { offer, busy, prefix, t };
  const message = formatFailure(purchase, t);
  const unavailable = getUnavailableReason(data);
  return (
    <>
      <ConfirmPurchase
        data={data}
        title={label}
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void store.buy(info);
        }}
        t={t}
      />
      {/* A plain HTML form: the choice is sent before React has loaded, too. */}
      <form className="contents" action={link(prefix, "login")} onSubmit={submit}>
        {children}
        {/* The bar's height lies over its end. */}
        <div className="main-action mt-4 [view-timeline:--page-button] [view-timeline-inset:0_4.75rem]">
          <OfferButton size="xl" sign label={label} {...button} />
        </div>
        {/* Of one height for everybody: who is here, and until when, turns out after the first paint. */}
        <div className="min-h-28 mt-4 text-sm leading-normal">
          {message ? (
            <p className="font-semibold" role="alert">
              {message}
            </p>
          ) : (
            unavailable && <p className="font-semibold">{t[`${unavailable}Body`]}</p>
          )}
          {expiry}
          <p>{t.note}</p>
          {stale && !message && (
            <p role="status">
              <span>{`${t.stale} ${stale}`}</span>{" "}
              <button
                type="button"
                className="link text-[inherit] focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]"
                onClick={store.load}
              >
                {states.retry}
              </button>
            </p>
          )}
        </div>
        <div className="buybar fixed z-41 bottom-0 inset-x-0 flex items-center gap-3 bg-surface border-t border-line text-ink lg:hidden">
          {offer.kind !== "own" && (
            <p className="grid gap-1 min-w-22 max-w-[55%] leading-[1.3]">
              <span className="numeral text-[1.75rem] leading-none" translate="no">
                {price}
              </span>
              <span className="text-xs text-ink-2 line-clamp-2 wrap-anywhere" translate="no">
                {info.title}
              </span>
            </p>
          )}
          <OfferButton size="lg" label={t[`${action}Short`]} {...button} />
        </div>
      </form>
    </>
  );
}
