import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { orderList } from "../../../i18n/order-list.ts";
import type { Order } from "../../api/order.ts";
import { formatDate } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import { pictureUrl } from "../../lib/poster.ts";
import type { ServerClock } from "../../lib/server-clock.ts";
import { link } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Tag, type TagTone } from "../../ui/Tag.tsx";
import { productHref } from "../order/OrderItems.tsx";
import { getOutcome, type Outcome } from "../order/status.ts";
import { TimeLeft } from "../order/TimeLeft.tsx";

interface OrderRowProps {
  prefix: Prefix;
  locale: string;
  t: (typeof orderList)["zh-CN"];
  order: Order;
  now: ServerClock | null;
  /** Its time to pay is over. */
  onOver: () => void;
}

interface Say {
  tone: TagTone;
  word: keyof OrderRowProps["t"];
}

const said: Record<Outcome, Say> = {
  awaiting: { tone: "bad", word: "pending" },
  overdue: { tone: "warn", word: "overdue" },
  paid: { tone: "wash", word: "paid" },
  late: { tone: "wash", word: "paid" },
  shipped: { tone: "info", word: "shipped" },
  completed: { tone: "plain", word: "completed" },
  expired: { tone: "plain", word: "expired" },
  refundDue: { tone: "warn", word: "refundDue" },
  refunding: { tone: "info", word: "refunding" },
  refundFailed: { tone: "warn", word: "refundDue" },
  refunded: { tone: "plain", word: "refunded" },
};

/** What last happened to it. */
function happened({ order, t }: Pick<OrderRowProps, "order" | "t">): string {
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

/** One order in the list: what, how far, how much, and what to do about it. */
export function OrderRow({ prefix, locale, t, order, now, onOver }: OrderRowProps) {
  const { order_sn, kind, items, pay_fen, actions, pay_expire_at } = order;
  const [item] = items;
  const href = link(prefix, kind === "goods" ? "order" : "userOrder", { order_sn });
  const outcome = getOutcome(order);
  const { tone, word } = said[outcome];
  const isActive = kind === "package" && (outcome === "paid" || outcome === "late");
  return (
    <article className="od">
      <p className="oh">
        <span className="num sm">
          <span className="vh">{t.number} </span>
          {order_sn}
        </span>
        <Tag tone={isActive ? "on" : tone} live={outcome === "awaiting"}>
          {isActive ? t.passPaid : t[word]}
        </Tag>
      </p>
      {item && (
        <div className="ob">
          <img src={pictureUrl(item.image.url, locale)} alt="" width={item.image.width} height={item.image.height} />
          <div>
            <h2>
              <a href={href}>{item.title}</a>
            </h2>
            <p className="sm mut">
              {(item.spec || item.quantity > 1) && <span>{`${item.spec} × ${item.quantity}`}</span>}
              <span>
                {actions.pay && now ? (
                  <TimeLeft until={pay_expire_at} now={now} text={t.left} onOver={onOver} />
                ) : (
                  happened({ order, t })
                )}
              </span>
            </p>
          </div>
          <span className="num op">{formatYuan(pay_fen)}</span>
        </div>
      )}
      <p className="oa">
        {actions.rebuy && item && (
          <ButtonLink variant="ghost" href={productHref(item, prefix)}>
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
