import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { orderList } from "../../../i18n/order-list.ts";
import type { Order } from "../../api/order.ts";
import { getOutcome, type Outcome } from "../../api/order-status.ts";
import { formatDate } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { formatCountdown, useCountdown } from "../../lib/use-countdown.ts";
import { link, productLink } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { Tag, type TagTone } from "../../ui/Tag.tsx";

interface TimeLeftProps {
  until: string;
  now: ServerClock;
  text: string;
  onOver: () => void;
}

/** `剩 12:47 付款`, by the server's clock. */
function TimeLeft({ until, now, text, onOver }: TimeLeftProps) {
  const left = useCountdown(until, now, 500, (before, after) => {
    if (before > 0 && after === 0) onOver();
  });
  const [start = "", end = ""] = fill(text, { time: "\n" }).split("\n");
  return (
    <>
      {start}
      <b className="numeral text-danger">{formatCountdown(left)}</b>
      {end}
    </>
  );
}

interface OrderRowProps {
  prefix: Prefix;
  t: (typeof orderList)["zh-CN"];
  order: Order;
  now: ServerClock | null;
  /** Runs when the time to pay is over. */
  onOver: () => void;
}

interface OrderTag {
  tone: TagTone;
  text: keyof OrderRowProps["t"];
}

const tags: Record<Outcome, OrderTag> = {
  awaiting: { tone: "bad", text: "pending" },
  overdue: { tone: "warn", text: "overdue" },
  paid: { tone: "wash", text: "paid" },
  late: { tone: "wash", text: "paid" },
  shipped: { tone: "info", text: "shipped" },
  completed: { tone: "plain", text: "completed" },
  expired: { tone: "plain", text: "expired" },
  cancelled: { tone: "plain", text: "cancelled" },
  refundDue: { tone: "warn", text: "refundDue" },
  refunding: { tone: "info", text: "refunding" },
  refundFailed: { tone: "warn", text: "refundDue" },
  refunded: { tone: "plain", text: "refunded" },
};

/** Returns what last happened to an order. */
function formatLastChange({ order, t }: Pick<OrderRowProps, "order" | "t">): string {
  const { status, kind, shipment, created_at, paid_at, shipped_at, completed_at, closed_at } = order;
  const date = (at: string | null) => ({ date: formatDate(new Date(at ?? created_at)) });
  switch (status) {
    case "pending":
      return fill(t.ordered, date(created_at));
    case "paid":
      return fill(kind === "package" ? t.passPaidOn : t.paidOn, date(paid_at));
    case "shipped":
      return shipment ? fill(t.shippedBy, shipment) : fill(t.shippedOn, date(shipped_at));
    case "completed":
      return fill(t.completedOn, date(completed_at));
    case "closed":
      return fill(t.closedOn, date(closed_at));
  }
}

/** Shows one order of the list: its items, status and sum, and the next action. */
export function OrderRow({ prefix, t, order, now, onOver }: OrderRowProps) {
  const { order_sn, kind, items, pay_fen, actions, pay_expire_at } = order;
  const [item] = items;
  const href = link(prefix, kind === "goods" ? "order" : "userOrder", { order_sn });
  const outcome = getOutcome(order);
  const { tone, text } = tags[outcome];
  const isActive = kind === "package" && (outcome === "paid" || outcome === "late");
  return (
    <article className="block p-4 bg-surface lg:grid lg:grid-cols-12 lg:gap-x-gap lg:items-center lg:p-6">
      <p className="flex flex-wrap justify-between items-center gap-2 text-ink-3 lg:col-start-1 lg:col-span-3 lg:flex-col lg:items-start">
        <span className="numeral text-sm font-medium">
          <span className="sr-only">{t.number} </span>
          {order_sn}
        </span>
        <Tag tone={isActive ? "on" : tone} live={outcome === "awaiting"}>
          {isActive ? t.passPaid : t[text]}
        </Tag>
      </p>
      {item && (
        <div className="ob grid grid-cols-[auto_minmax(0,1fr)_auto] gap-4 items-center pt-3.5 lg:col-start-4 lg:col-span-6 lg:p-0 lg:gap-7">
          <Picture className="size-20 object-cover object-top lg:size-24" picture={item.image} sizes="6rem" />
          <div>
            <h2 className="font-semibold text-[1em] leading-[1.4] font-sans tracking-normal wrap-anywhere lg:text-lg">
              <a className="hover:text-accent-ink" href={href}>
                {item.title}
              </a>
            </h2>
            <p className="text-sm text-ink-2">
              {(item.spec || item.quantity > 1) && (
                <span className="block wrap-anywhere">{`${item.spec} × ${item.quantity}`}</span>
              )}
              <span className="block wrap-anywhere">
                {actions.pay && now ? (
                  <TimeLeft until={pay_expire_at} now={now} text={t.left} onOver={onOver} />
                ) : (
                  formatLastChange({ order, t })
                )}
              </span>
            </p>
          </div>
          <span className="numeral text-[1.375rem] self-start lg:text-[2rem] lg:self-center">{formatYuan(pay_fen)}</span>
        </div>
      )}
      <p className="flex flex-wrap justify-end gap-2 mt-4 pt-3.5 border-t border-line lg:col-start-10 lg:-col-end-1 lg:border-0 lg:m-0 lg:p-0">
        {actions.rebuy && item && (
          <ButtonLink variant="ghost" href={productLink(prefix, item)}>
            {t.rebuy}
          </ButtonLink>
        )}
        <ButtonLink variant={actions.pay ? "solid" : "outline"} href={href}>
          {actions.pay ? t.pay : t.view}
        </ButtonLink>
      </p>
    </article>
  );
}
