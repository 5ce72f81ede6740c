import { fill } from "#i18n/catalogue.ts";
import type { Locale } from "#i18n/locale.ts";
import { miniProgram } from "#i18n/mini-program.ts";
import type { Order } from "./calls.ts";
import type { Screen } from "./screen.ts";

/** What the page draws; "" for what it leaves out. */
export interface View {
  shop: string;
  /** `sign`: on the shop's colour. */
  ground: "sign" | "plain";
  heading: string;
  body: string;
  /** The sum as a numeral of its own. */
  sum: string;
  clock: string;
  /** What is paid. */
  title: string;
  detail: string;
  number: string;
  note: string;
  action: "pay" | "retry" | "leave" | "";
  label: string;
  isBusy: boolean;
  /** The label of the second way out. */
  leave: string;
}

const blank: View = {
  shop: "",
  ground: "plain",
  heading: "",
  body: "",
  sum: "",
  clock: "",
  title: "",
  detail: "",
  number: "",
  note: "",
  action: "",
  label: "",
  isBusy: false,
  leave: "",
};

/** Returns the preferred language of WeChat: `zh_CN`, `zh_TW`, `en` … */
export const toLocale = (language: string): Locale => (/^zh\b|^zh_/i.test(language) ? "zh-CN" : "en-US");

/** Writes an amount in fen as the site does: ¥98, ¥1,026.50. */
export const formatSum = (fen: number): string =>
  `¥${(fen / 100).toFixed(fen % 100 === 0 ? 0 : 2).replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;

/** Describes a screen in a language, at a time of this device in ms. */
export function toView(screen: Screen, locale: Locale, at: number): View {
  const t = miniProgram[locale];
  const writeClock = (until: number) => {
    const seconds = Math.max(0, Math.ceil((until - at) / 1000));
    return fill(t.timeLeft, { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0") });
  };
  const retry = { action: "retry", label: t.retry, leave: t.leave } as const;

  switch (screen.name) {
    case "loading":
      return { ...blank, heading: t.loading, isBusy: true };
    case "empty":
    case "unknown":
    case "overtaken":
      return { ...blank, heading: t[`${screen.name}Title`], body: t[`${screen.name}Body`], action: "leave", label: t.leave };
    case "offline":
    case "busy":
    case "login":
      return { ...blank, heading: t[`${screen.name}Title`], body: t[`${screen.name}Body`], ...retry };
    case "tooMany": {
      const clock = writeClock(screen.until);
      return { ...blank, heading: t.tooManyTitle, body: t.tooManyBody, clock, action: "leave", label: t.leave };
    }
    case "payable":
    case "preparing": {
      const sum = formatSum(screen.order.pay_fen);
      const isBusy = screen.name === "preparing";
      const note = isBusy ? t.preparing : screen.isGivenUp ? t.givenUp : "";
      const button = { action: "pay", label: fill(t.pay, { sum }), isBusy, note } as const;
      const clock = writeClock(screen.expiresAt);
      return { ...blank, ground: "sign", heading: t.due, sum, clock, ...describeOrder(screen.order, t), ...button };
    }
    default:
      return { ...blank, ...describeOrder(screen.order, t), ...describeEnd(screen, t) };
  }
}

type Texts = (typeof miniProgram)[Locale];

/** Describes what is paid, and where. */
function describeOrder(order: Order, t: Texts): Pick<View, "shop" | "title" | "detail" | "number"> {
  const pieces = order.quantity > 1 ? fill(t.pieces, { n: order.quantity }) : "";
  const detail = [order.spec, pieces].filter(Boolean).join(" ");
  return { shop: order.shop, title: order.title, detail, number: fill(t.number, { number: order.order_sn }) };
}

type End = Exclude<Extract<Screen, { order: Order }>, { name: "payable" | "preparing" }>;

/** Describes the screens without a payment to begin. */
function describeEnd(screen: End, t: Texts): Partial<View> {
  const sum = formatSum(screen.order.pay_fen);
  const texts = (name: "paid" | "paidTwice" | "refunded" | "late" | "closed" | "cancelled" | "failed" | "closedMeanwhile") => ({
    heading: t[`${name}Title`],
    body: fill(t[`${name}Body`], { sum }),
  });
  switch (screen.name) {
    case "confirming": {
      const body = { usual: t.confirmingBody, slow: t.confirmingSlow, offline: t.confirmingLost }[screen.progress];
      return { ground: "sign", heading: t.confirmingTitle, body, isBusy: true, leave: t.leave };
    }
    case "paid":
      return { ground: "sign", ...texts("paid"), action: "leave", label: t.done };
    case "paidTwice":
    case "refunded":
      return { ...texts(screen.name), action: "leave", label: t.done };
    case "late":
    case "closed":
    case "cancelled":
      return { ...texts(screen.name), action: "leave", label: t.leave };
    case "failed":
      return { ...texts("failed"), action: "retry", label: t.retry, leave: t.leave };
    case "closedMeanwhile":
      return { ...texts("closedMeanwhile"), action: "retry", label: t.check, leave: t.leave };
    case "unsupported":
      return { heading: t.unsupportedTitle, action: "leave", label: t.leave };
  }
}
