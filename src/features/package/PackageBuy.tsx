import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { package as texts } from "../../../i18n/package.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { formatYuan } from "../../lib/format.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button } from "../../ui/Button.tsx";
import { $session } from "../session/store.ts";
import { $buying, type Buying, buy } from "./buy.ts";
import { ConfirmPass } from "./ConfirmPurchase.tsx";
import { getBlocker, getEffect } from "./purchase-effect.ts";
import type { PackageData } from "./store.ts";

interface PassBuyProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  states: (typeof state)["zh-CN"];
  pass: PackageData;
  /** Why the last attempt to know more failed. */
  stale: string;
  again: () => void;
  /** The choice of the pass. */
  children: ReactNode;
}

/** What buying came to, in words; nothing while all is well. */
function told(buying: Buying, { t, states }: Pick<PassBuyProps, "t" | "states">): string {
  if (buying.state === "priceChanged")
    return fill(t.priceChanged, { was: formatYuan(buying.was), now: formatYuan(buying.now) });
  if (buying.state !== "failed") return "";
  const problem = toProblem(buying.caught, states);
  return problem.kind === "failed" ? problem.message : "";
}

/** The way on: for a visitor by login and back, for a member to the order. In the page, and within reach of the thumb. */
export function PackageBuy({ prefix, t, states, pass, stale, again, children }: PassBuyProps) {
  const buying = useStore($buying);
  const [isAsking, setAsking] = useState(false);
  const { info } = pass;
  const bar = getBlocker(pass);
  const { kind } = getEffect(pass);
  const price = formatYuan(info.pay_fen);
  const perYear = info.days === 365 ? fill(t.perYear, { price }) : fill(t.perDays, { price, days: info.days });
  const words = {
    extended: [t.renew, t.renewShort],
    upgraded: [t.upgrade, t.upgradeShort],
    fresh: [t.open, t.openShort],
    visitor: [t.open, t.openShort],
    lower: [t.open, t.openShort],
  }[kind];
  const [long = "", short = ""] = words;
  const isBarred = bar !== null || kind === "lower";
  const isBusy = buying.state === "busy" || buying.state === "done";
  useEffect(() => {
    if (buying.state === "done") location.assign(link(prefix, "userOrder", { order_sn: buying.order_sn }));
    // The price or the stock was another: what the page shows must be what is asked for next.
    if (buying.state === "priceChanged" || buying.state === "failed") again();
  }, [buying, prefix, again]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBarred || isBusy) return;
    // As it is now: what was drawn first is a visitor's.
    if ($session.get().state !== "visitor") setAsking(true);
    else location.assign(link(prefix, "login", {}, { redirect: link("", "vip", { uid: info.uid }) }));
  };
  const button = (size: "xl" | "lg", sign: boolean, label: string) => {
    if (isBarred) {
      return (
        <Button size={size} sign={sign} disabled>
          {bar ? t[bar] : label}
        </Button>
      );
    }
    return (
      <Button type="submit" size={size} sign={sign} busy={isBusy}>
        {label}
      </Button>
    );
  };
  const message = told(buying, { t, states });
  const barText = bar === "offSale" ? t.offSaleBody : bar === "soldOut" ? t.soldOutBody : "";
  return (
    <>
      <ConfirmPass
        pass={pass}
        title={fill(long, { title: info.title, price: perYear })}
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void buy(info);
        }}
        t={t}
      />
      {/* Sent as HTML before a script is there: the pass that is chosen counts all the same. */}
      <form className="contents" action={link(prefix, "login")} onSubmit={submit}>
        {children}
        <div className="cta-r">{button("xl", true, fill(long, { title: info.title, price: perYear }))}</div>
        <div className="vnote">
          {message ? <p role="alert">{message}</p> : <p>{barText || t.note}</p>}
          {stale && !message && (
            <p role="status">
              {t.stale} {stale}{" "}
              <button type="button" className="link" onClick={again}>
                {states.retry}
              </button>
            </p>
          )}
        </div>
        <div className="buybar">
          <p className="pr">
            <span className="num">{price}</span>
            <span className="xs mut">{info.title}</span>
          </p>
          {button("lg", false, short)}
        </div>
      </form>
    </>
  );
}
