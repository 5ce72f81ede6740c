import { useState } from "react";
import type { payCode } from "../../../i18n/payment.ts";
import type { state } from "../../../i18n/state.ts";
import type { Order } from "../../api/order.ts";
import { toProblem } from "../../api/problem.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { payCodeStore } from "./store.ts";

interface PayCodeCardProps {
  order: Order;
  t: (typeof payCode)["zh-CN"];
  states: (typeof state)["zh-CN"];
}

/** Returns what a phone, which cannot scan its own screen, does with the code. WeChat recognises a code that is pressed and held, and saves no files. */
function getPhoneAction(link: string | null): "hold" | "otherPhone" | "album" {
  if (navigator.userAgent.includes("MicroMessenger")) return "hold";
  return link ? "otherPhone" : "album";
}

/** Shows the pay code on white. On a phone the link comes first. */
export function PayCodeCard({ order, t, states }: PayCodeCardProps) {
  const [store] = useState(() => payCodeStore(order.kind, order.order_sn, (error) => toProblem(error, states)));
  const code = useStore(store.$state);
  if (code.state === "loading") {
    return (
      <>
        <p className="vh" role="status" aria-busy="true">
          {t.loading}
        </p>
        <span className="pay-open sk h-12" />
        <span className="qr sk" />
      </>
    );
  }
  if (code.state === "failed") {
    return (
      <div className="no-qr" role="alert">
        <b>{t.failed}</b>
        <p>{code.problem.kind === "failed" ? code.problem.message : states.needsLoginBody}</p>
        <Button variant="outline" onClick={store.load}>
          {t.retry}
        </Button>
      </div>
    );
  }
  const { image, link, mode } = code.data;
  const sandbox = mode === "sandbox";
  const phoneAction = getPhoneAction(link);
  return (
    <>
      {link && (
        <ButtonLink className={sandbox ? "pay-open" : "pay-open phone"} size="lg" href={link} target="_blank" rel="noopener">
          {sandbox ? t.openSandbox : t.open}
        </ButtonLink>
      )}
      <img className="qr" src={image} alt={t.label} width="240" height="240" />
      <p className="scan">
        <span className="desk">{sandbox ? t.scanSandbox : t.scan}</span>
        <span className="phone">{t[phoneAction]}</span>
      </p>
      {phoneAction === "album" && (
        <a className="pay-save phone" href={image} download={`${order.order_sn}.${/\/(\w+)/.exec(image)?.[1]}`}>
          {t.save}
        </a>
      )}
    </>
  );
}
