import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { orderList } from "#i18n/order-list.ts";
import type { Order } from "#src/api/order.ts";
import { getOutcome } from "#src/api/order-status.ts";
import { isAhead } from "#src/lib/ahead.ts";
import type { ServerClock } from "#src/lib/date.ts";
import { formatYuan, keepNumbers } from "#src/lib/format.ts";
import { formatCountdown, useCountdown } from "#src/lib/use-countdown.ts";
import { link, productLink } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { GroupedNumber } from "#src/ui/CopyText.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { Picture } from "#src/ui/Picture.tsx";
import { Tag } from "#src/ui/Tag.tsx";
import { isSettled } from "./store.ts";
import { formatItem, getLastChange, tags } from "./summary.ts";

interface TimeLeftProps {
  until: string;
  now: ServerClock;
  text: string;
  onOver: () => void;
}

/** The time left to pay as a big clock, by the server's clock; read out as `剩 12:47 付款`. */
function TimeLeft({ until, now, text, onOver }: TimeLeftProps) {
  const left = useCountdown(until, now, 500, (before, after) => {
    if (before > 0 && after === 0) onOver();
  });
  const [start = "", end = ""] = fill(text, { time: "\n" }).split("\n");
  return (
    <p className="tabular-nums">
      <span className="sr-only">{start}</span>
      <b className="numeral block text-6xl leading-[0.9] tracking-[-0.03em] lg:text-7xl xl:text-8xl" translate="no">
        {formatCountdown(left)}
      </b>
      <span className="sr-only">{end}</span>
    </p>
  );
}

/** What last happened to an order, and on which day. */
function LastChange({ order, t }: Pick<OrderRowProps, "order" | "t">) {
  const { text, at } = getLastChange(order, t);
  return <DatedText text={keepNumbers(text)} dates={{ date: { date: at ?? order.created_at, form: "date" } }} />;
}

interface OrderRowProps {
  prefix: Prefix;
  t: (typeof orderList)["zh-CN"];
  order: Order;
  now: ServerClock | null;
  /** Whether there are few orders. */
  isLarge: boolean;
  /** Whether it leads to paying, which needs a connection. */
  isPayable: boolean;
  /** Runs when the time to pay is over. */
  onOver: () => void;
}

type RowProps = Pick<OrderRowProps, "order" | "t"> & { href: string };

function RowNumber({ order, t }: Pick<OrderRowProps, "order" | "t">) {
  return (
    <span className="numeral text-sm font-medium">
      <span className="sr-only">{`${t.number} `}</span>
      <span translate="no">
        <GroupedNumber text={order.order_sn} />
      </span>
    </span>
  );
}

/** An order that waits for its payment: a strip of the slab with the clock. */
function DueRow({ order, t, href, now, isPayable, onOver }: RowProps & Pick<OrderRowProps, "now" | "isPayable" | "onOver">) {
  const [item] = order.items;
  const [title, variant] = formatItem(order.items);
  return (
    <article className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-4 p-4 bg-sign text-on-sign sm:grid-cols-[7rem_minmax(0,1fr)_auto] lg:grid-cols-[14rem_minmax(0,1fr)_auto_auto] lg:gap-x-7 lg:items-center lg:p-0 lg:pr-6 xl:gap-x-10">
      <Picture
        className="w-full aspect-square object-cover object-top"
        picture={item?.image}
        sizes="(min-width: 60rem) 14rem, 7rem"
      />
      <div className="grid gap-1 content-center min-w-0 wrap-anywhere">
        <p className="live flex items-center gap-2 text-sm font-semibold">{t.pending}</p>
        <h2 className="text-lg leading-[1.3] lg:text-2xl">
          <a className="hover:underline" href={href} translate="no">
            {title}
          </a>
        </h2>
        {variant && <p className="text-sm">{variant}</p>}
        {isAhead(item?.ships_at) && (
          <p className="text-sm">
            <DatedText text={t.shipsFrom} dates={{ date: { date: item.ships_at, form: "date" } }} />
          </p>
        )}
        <p className="mt-1">
          <RowNumber order={order} t={t} />
        </p>
      </div>
      <div className="self-center">
        {now ? (
          <TimeLeft until={order.pay_expire_at} now={now} text={t.left} onOver={onOver} />
        ) : (
          <LastChange order={order} t={t} />
        )}
      </div>
      <p className="grid gap-4 justify-items-end self-center max-sm:justify-self-end sm:max-lg:col-start-2 sm:max-lg:-col-end-1">
        <span className="numeral text-2xl leading-none lg:text-[2rem]" translate="no">
          {formatYuan(order.pay_fen)}
        </span>
        <ButtonLink variant="neutral" size="lg" href={href}>
          {isPayable ? t.pay : t.view}
        </ButtonLink>
      </p>
    </article>
  );
}

/** An order that is over: one line of the ledger, which is the link. */
function SettledRow({ order, t, href, status }: RowProps & { status: string }) {
  const [item] = order.items;
  const isUnpaid = order.close_reason === "expired";
  const [title, variant] = formatItem(order.items);
  return (
    <article>
      <a
        className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto_3.5rem] gap-x-3 items-center min-h-14 py-2 border-b border-line text-sm text-ink-2 hover:text-ink lg:grid-cols-[2.5rem_minmax(0,1fr)_auto_5rem_5rem] lg:gap-x-7 lg:pr-6 lg:text-[1rem]"
        href={href}
      >
        <Picture className="size-10 object-cover object-top" picture={item?.image} sizes="2.5rem" />
        <span className="font-semibold leading-[1.3] wrap-anywhere">
          <span translate="no">{title}</span> <span className="font-normal max-sm:block">{variant}</span>
        </span>
        <span className="max-lg:sr-only">
          <RowNumber order={order} t={t} />
        </span>
        <span className="text-right lg:text-left">{status}</span>
        <span className="numeral text-right" translate="no">
          {isUnpaid ? <s className="text-ink-3">{formatYuan(order.pay_fen)}</s> : formatYuan(order.pay_fen)}
        </span>
      </a>
    </article>
  );
}

/** One of many, and one that stands alone or with another one. */
const weights = {
  row: {
    article: "lg:grid-cols-[9rem_minmax(0,1fr)_auto_6rem]",
    picture: "",
    text: "",
    title: "lg:text-lg",
    price: "lg:order-last lg:text-[2rem] lg:self-center text-right",
    actions: "",
  },
  large: {
    article: "lg:grid-cols-[14rem_minmax(0,1fr)_auto] lg:grid-rows-2 lg:gap-y-4",
    picture: "lg:row-span-2",
    text: "lg:row-span-2",
    title: "lg:text-2xl lg:leading-[1.3]",
    price: "lg:text-[2rem] lg:leading-none lg:self-end lg:justify-self-end",
    actions: "lg:self-start",
  },
};

/** Shows one order of the list by its urgency: what is to be paid is a slab with a clock, what is on its way a card, what is over a line. */
export function OrderRow({ prefix, t, order, now, isLarge, isPayable, onOver }: OrderRowProps) {
  const { order_sn, kind, items, pay_fen, actions } = order;
  const [item] = items;
  const [title, variant] = formatItem(items);
  const href = link(prefix, kind === "goods" ? "order" : "userOrder", { order_sn });
  const outcome = getOutcome(order);
  const { tone, text } = tags[outcome];
  if (actions.pay) return <DueRow order={order} t={t} href={href} now={now} isPayable={isPayable} onOver={onOver} />;
  if (isSettled(order)) return <SettledRow order={order} t={t} href={href} status={t[text]} />;
  const weight = weights[isLarge ? "large" : "row"];
  const isActive = kind === "package" && (outcome === "paid" || outcome === "late");
  return (
    <article
      className={`grid grid-cols-[5.5rem_minmax(0,1fr)_auto] gap-x-4 gap-y-3 items-center p-4 bg-surface lg:gap-x-7 lg:p-0 lg:pr-6 ${weight.article}`}
    >
      <Picture
        className={`self-start w-full aspect-square object-cover object-top ${weight.picture}`}
        picture={item?.image}
        sizes={`(min-width: 60rem) ${isLarge ? "14rem" : "9rem"}, 5.5rem`}
      />
      <div className={`min-w-0 wrap-anywhere max-lg:col-2 max-lg:row-1 max-lg:-col-end-1 ${weight.text}`}>
        <p>
          <Tag tone={isActive ? "on" : tone}>{isActive ? t.passPaid : t[text]}</Tag>
        </p>
        <h2 className={`mt-1.5 text-[1em] leading-[1.4] ${weight.title}`}>
          <a className="hover:text-accent-ink" href={href} translate="no">
            {title}
          </a>
        </h2>
        <p className="text-sm text-ink-2 break-keep">
          {variant && (
            <span className="max-lg:block">
              <span>{variant}</span> <span className="max-lg:hidden">{"· "}</span>
            </span>
          )}
          <LastChange order={order} t={t} />
        </p>
        <p className="text-ink-3">
          <RowNumber order={order} t={t} />
        </p>
      </div>
      <span
        translate="no"
        className={`numeral text-[1.375rem] leading-[1.625rem] self-start max-lg:col-3 max-lg:row-1 ${weight.price}`}
      >
        {formatYuan(pay_fen)}
      </span>
      <p className={`flex flex-wrap justify-end gap-2 max-lg:col-span-full ${weight.actions}`}>
        {actions.rebuy && item && (
          <ButtonLink variant="ghost" href={productLink(prefix, item)}>
            {isActive ? t.extend : t.rebuy}
          </ButtonLink>
        )}
        <ButtonLink variant="outline" href={href}>
          {t.view}
        </ButtonLink>
      </p>
    </article>
  );
}
