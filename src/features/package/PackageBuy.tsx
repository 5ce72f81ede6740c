import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { package as texts } from "../../../i18n/package.ts";
import type { PublicStates } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { formatDate } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { $session } from "../session/store.ts";
import { getMembershipChange, getUnavailableReason } from "./membership-change.ts";
import { $buying, type Buying, buy, type PackageData } from "./store.ts";

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
  const until = "after" in change ? formatDate(new Date(change.after)) : "";
  return (
    <Dialog title={open ? title : ""} open={open} onClose={onClose}>
      {/* Reserves space: the date may load after the question. */}
      <p className="text-ink-2 min-h-[3.4em] mt-2">
        {open && fill(t.ask, { price: formatYuan(data.info.pay_fen), days: data.info.days })}{" "}
        {open && until && fill(t.askUntil, { date: until })}
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

interface PackageBuyProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  states: PublicStates;
  data: PackageData;
  /** Why the packages could not be loaded again; empty when they are up to date. */
  stale: string;
  onRetry: () => void;
  /** What the package does to the member's expiry. */
  expiry: ReactNode;
  /** The radios that choose the package. */
  children: ReactNode;
}

/** Returns the message of a failed purchase, else an empty string. */
function formatBuyingError(buying: Buying, { t, states }: Pick<PackageBuyProps, "t" | "states">): string {
  if (buying.state === "priceChanged")
    return fill(t.priceChanged, { was: formatYuan(buying.oldPriceFen), now: formatYuan(buying.newPriceFen) });
  if (buying.state !== "failed") return "";
  const problem = toProblem(buying.error, states);
  return problem.kind === "failed" ? problem.message : "";
}

/** The form that orders a package: a visitor logs in first, a member confirms. Its button stands twice: in the page and in the bar at the bottom of a phone. */
export function PackageBuy({ prefix, t, states, data, stale, onRetry, expiry, children }: PackageBuyProps) {
  const buying = useStore($buying);
  const [isConfirming, setConfirming] = useState(false);
  const { info } = data;
  const unavailableReason = getUnavailableReason(data);
  const change = getMembershipChange(data);
  const { kind } = change;
  const price = formatYuan(info.pay_fen);
  const perYear = info.days === 365 ? fill(t.perYear, { price }) : fill(t.perDays, { price, days: info.days });
  let [long, short] = [t.open, t.openShort];
  if (kind === "extended") [long, short] = [t.renew, t.renewShort];
  if (kind === "upgraded") [long, short] = [t.upgrade, t.upgradeShort];
  if (kind === "full") long = short = t.full;
  /** The pass that the member has is as good or better. */
  const isEnough = kind === "lower" || kind === "full";
  const isOwner = isEnough && change.now !== null;
  const isBlocked = unavailableReason !== null || isEnough;
  const isBusy = buying.state === "busy" || buying.state === "done";
  useEffect(() => {
    if (buying.state === "done") location.assign(link(prefix, "userOrder", { order_sn: buying.order_sn }));
    // The price or the stock has changed: the next attempt must send what the page shows.
    if (buying.state === "priceChanged" || buying.state === "failed") onRetry();
  }, [buying, prefix, onRetry]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBlocked || isBusy) return;
    // Read from the store: the first render always shows a visitor.
    if ($session.get().state !== "visitor") setConfirming(true);
    else location.assign(link(prefix, "login", {}, { redirect: link("", "vip", { uid: info.uid }) }));
  };
  const renderButton = (size: "xl" | "lg", sign: boolean, label: string) => {
    const className = `focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none] ${sign ? "justify-between w-full h-auto min-h-[var(--h)] whitespace-normal leading-[1.15] text-left wrap-anywhere [&>span:first-child]:py-1.5 [&_.cell]:h-auto [&_.cell]:self-stretch [--b:var(--lit)] [--c:var(--on-lit)] [--over:var(--lit-hover)]" : ""}`;
    if (isOwner) {
      return (
        <ButtonLink className={className} size={size} sign={sign} href={link(prefix, "userInfo")}>
          {t.ownPass}
        </ButtonLink>
      );
    }
    return (
      <Button className={className} type="submit" size={size} sign={sign} busy={isBusy} disabled={isBlocked}>
        {unavailableReason ? t[unavailableReason] : label}
      </Button>
    );
  };
  const message = formatBuyingError(buying, { t, states });
  const unavailableText =
    unavailableReason === "offSale" ? t.offSaleBody : unavailableReason === "soldOut" ? t.soldOutBody : "";
  return (
    <>
      <ConfirmPurchase
        data={data}
        title={fill(long, { title: info.title, price: perYear })}
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void buy(info);
        }}
        t={t}
      />
      {/* A plain HTML form: the choice is sent before React has loaded, too. */}
      <form className="contents" action={link(prefix, "login")} onSubmit={submit}>
        {children}
        {/* The bar's height lies over its end. */}
        <div className="main-action mt-4 [view-timeline:--page-button] [view-timeline-inset:0_4.75rem]">
          {renderButton("xl", true, fill(long, { title: info.title, price: perYear }))}
        </div>
        {/* Of one height for everybody: who is here, and until when, turns out after the first paint. */}
        <div className="min-h-28 mt-4 text-sm leading-normal">
          {message ? (
            <p className="font-semibold" role="alert">
              {message}
            </p>
          ) : (
            unavailableText && <p className="font-semibold">{unavailableText}</p>
          )}
          {expiry}
          <p>{t.note}</p>
          {stale && !message && (
            <p role="status">
              {t.stale} {stale}{" "}
              <button
                type="button"
                className="link text-[inherit] focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]"
                onClick={onRetry}
              >
                {states.retry}
              </button>
            </p>
          )}
        </div>
        <div className="buybar fixed z-41 bottom-0 inset-x-0 flex items-center gap-3 bg-surface border-t border-line text-ink lg:hidden">
          {!isOwner && (
            <p className="grid gap-1 min-w-22 max-w-[55%] leading-[1.3]">
              <span className="numeral text-[1.75rem] leading-none">{price}</span>
              <span className="text-xs text-ink-2 wrap-anywhere">{info.title}</span>
            </p>
          )}
          {renderButton("lg", false, short)}
        </div>
      </form>
    </>
  );
}
