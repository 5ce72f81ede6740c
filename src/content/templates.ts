import { isDeepStrictEqual } from "node:util";
import { defaultLocale, type Locale, locales } from "../../i18n/locale.ts";
import { formatTime } from "./format.ts";
import { isFields } from "./front-matter.ts";
import { type Kind, kindNames } from "./schema/kinds.ts";
import type { Shop, ShopEntry, ShopText } from "./shop.ts";

// The first texts of new entries and of a new shop: valid, on sale as they are, and plain enough to be written over.

type Fields = Record<string, unknown>;
/** The fields of a new entry, facts with the default language's words, and its text in each language. */
export interface Template {
  kind: Kind;
  fields: Record<Locale, Fields>;
  body: Record<Locale, string>;
}

const day = 24 * 3600_000;
const hour = 3600_000;

/** Returns an hour of the day in China, so many days from now. */
function atHour(now: Date, days: number, hours: number): Date {
  const midnight = Math.floor((now.getTime() + 8 * hour) / day) * day - 8 * hour;
  return new Date(midnight + days * day + hours * hour);
}

/** What `npm run new -- <name> <id>` writes. */
export const templates: Record<string, (now: Date) => Template> = {
  news: (now) => ({
    kind: "news",
    fields: {
      "zh-CN": {
        title: "一则新闻",
        summary: "一句话，列表里用。",
        date: formatTime(now).slice(0, 10),
        kind: "notice",
      },
      "en-US": { title: "A news item", summary: "One sentence, for the list." },
    },
    body: { "zh-CN": "第一段写发生了什么。", "en-US": "The first paragraph says what happened." },
  }),
  event: (now) => ({
    kind: "event",
    fields: {
      "zh-CN": {
        title: "一场演出",
        summary: "一句话，搜索引擎里用。",
        city: "城市",
        venue: "场地",
        line_up: ["乐队"],
        terms: "每位会员订一个位置。",
        starts_at: formatTime(atHour(now, 30, 20)),
        doors_at: formatTime(atHour(now, 30, 19)),
        ends_at: formatTime(atHour(now, 30, 22)),
        booking: {
          places: 100,
          opens_at: formatTime(new Date(now.getTime() - hour)),
          closes_at: formatTime(atHour(now, 30, 18)),
        },
      },
      "en-US": {
        title: "A show",
        summary: "One sentence, for search engines.",
        city: "City",
        venue: "Venue",
        line_up: ["Band"],
        terms: "One place for each member.",
      },
    },
    body: { "zh-CN": "写写这一晚。", "en-US": "Say something about the evening." },
  }),
  item: () => ({
    kind: "goods",
    fields: {
      "zh-CN": { title: "一件商品", summary: "一句话，卡片上用。", category: "周边", price: 100, stock: 10 },
      "en-US": { title: "An item", summary: "One sentence, for its card.", category: "Merchandise" },
    },
    body: { "zh-CN": "写写它是什么做的，多大。", "en-US": "Say what it is made of, and how large it is." },
  }),
  pass: () => ({
    kind: "package",
    fields: {
      "zh-CN": {
        title: "通行证",
        summary: "一句话，卡片上用。",
        level: 1,
        days: 365,
        price: 99,
        rights: [
          { kind: "days", title: "有效 365 天" },
          { kind: "free_postage", title: "商城免运费" },
        ],
      },
      "en-US": {
        title: "A pass",
        summary: "One sentence, for its card.",
        rights: [{ title: "Runs 365 days" }, { title: "Free delivery from the mall" }],
      },
    },
    body: { "zh-CN": "", "en-US": "" },
  }),
  tour: (now) => ({
    kind: "campaign",
    fields: {
      "zh-CN": {
        title: "一次巡演",
        summary: "一句话，说说去哪里。",
        opens_at: formatTime(new Date(now.getTime() - hour)),
        closes_at: formatTime(atHour(now, 59, 20)),
        stops: [
          { stop: "first", city: "第一座城", venue: "场地", starts_at: formatTime(atHour(now, 60, 20)), places: 100 },
          { stop: "second", city: "第二座城", venue: "场地", starts_at: formatTime(atHour(now, 67, 20)), places: 100 },
        ],
      },
      "en-US": {
        title: "A tour",
        summary: "One sentence on where it goes.",
        stops: [
          { city: "The first city", venue: "Venue" },
          { city: "The second city", venue: "Venue" },
        ],
      },
    },
    body: { "zh-CN": "写写这次巡演。", "en-US": "Say something about the tour." },
  }),
};

/** Returns the fields of a new shop's site.yaml. */
export const createSiteFields = (shop: string): Record<Locale, Fields> => ({
  "zh-CN": {
    shop,
    title: "厂牌的名字",
    brand: "厂牌",
    description: "演出、新闻、通行证和周边。",
    accent: { light: "#0b57d0", dark: "#8ab4f8" },
    mark: "mark.svg",
    postage: { fee: 12, free_from: 199 },
  },
  "en-US": { title: "The name of the label", brand: "Label", description: "Shows, news, passes and merchandise." },
});

/** Returns whether a field is as in a template: equal, or of a list of fields one entry is. */
function isUntouched(value: unknown, first: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(first) || !isFields(first[0])) return isDeepStrictEqual(value, first);
  return value.some((stop) => first.some(({ city, venue }) => isFields(stop) && stop.city === city && stop.venue === venue));
}

/** `hasFacts`: the text is the one whose file has the facts. */
function adviseOnText(kind: Kind, { file, locale, data, body }: ShopText<object>, hasFacts: boolean): string[] {
  const template = Object.values(templates)
    .map((create) => create(new Date(0)))
    .find((one) => one.kind === kind);
  if (!template) return [];
  const [fields, first]: [Fields, Fields] = [{ ...data }, template.fields[locale]];
  const words = ["title", "summary", "city", "venue", "line_up", "stops"].filter(
    (name) => name in first && isUntouched(fields[name], first[name]),
  );
  const text = body.trim() !== "" && body.trim() === template.body[locale] ? ["text"] : [];
  // A price that is right may be the first one: it counts beside words, or beside the first stock.
  const facts: Fields = hasFacts ? template.fields[defaultLocale] : {};
  const hasPrice = typeof facts.price === "number" && fields.price === facts.price * 100;
  if (words.length + text.length > 0)
    return [`${file}: ${formatUntouched([...words, ...(hasPrice ? ["price"] : []), ...text])}`];
  return hasPrice && facts.stock !== undefined && fields.stock === facts.stock
    ? [`${file}: price and stock are ${facts.price} and ${facts.stock}, as npm run new wrote them: are they yours?`]
    : [];
}

const formatUntouched = (names: readonly string[]) =>
  `${names.join(", ")} ${names.length > 1 ? "are" : "is"} as npm run new wrote ${names.length > 1 ? "them" : "it"}: write your own`;

/** Returns advice on what still is as `npm run new` has written it: `<file>: <advice>`. */
export function adviseOnTemplates({ site, ...shop }: Shop): string[] {
  const onSite = locales.flatMap((locale) => {
    const [fields, first]: [Fields, Fields] = [{ ...site[locale] }, createSiteFields("")[locale]];
    const names = ["title", "brand", "description"].filter((name) => fields[name] === first[name]);
    return names.length > 0 ? [`site.yaml: ${locale}, ${formatUntouched(names)}`] : [];
  });
  const onEntries = kindNames.flatMap((kind) =>
    shop[kind].flatMap(({ texts }: ShopEntry<object>) => texts.flatMap((text, index) => adviseOnText(kind, text, index === 0))),
  );
  return [...onSite, ...onEntries];
}

/** The first mark of a new shop, in the colour of the text around it. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><path fill="currentColor" fill-rule="evenodd" d="M14 0a14 14 0 1 0 0 28 14 14 0 0 0 0-28m0 9a5 5 0 1 1 0 10 5 5 0 0 1 0-10"/></svg>
`;

/** The first terms of a new shop; they describe what the software does. */
export const termsBody: Record<Locale, string> = {
  "zh-CN": `## 登录

登录用手机号，加一条短信里的六位验证码。没注册过的手机号，第一次登录时成为会员。

## 订位与预约

一位会员一场订一个位置，订满或截止为止。订到以后有一串签到码，入场时出示。巡演的预约是预约：一位会员一份，截止前都可以改。

## 买东西

- 价格以下单那一刻为准。
- 下单后三十分钟内付款，库存替你留着；到时没付，订单自动关闭。
- 退款原路退回。

## 通行证

一个人同时只有一张，从付款到账开始算。同一级再买，到期日往后加；升到高一级，剩下的时间按价格折算；高级的还没到期时，不能买低一级的。

## 改动

这份协议改了，页面顶上的日期就会变。已经成立的订单，按下单时的写法算。
`,
  "en-US": `## Logging in

You log in with a phone number and a code of six digits from a text message. A number that is new becomes a member with its first login.

## Places and pre-registration

One place per member and show, until it is full or closed. A booked place has a check-in code to show at the door. Pre-registration for a tour is one entry per member, which can be changed until it closes.

## Buying

- The price is the one at the moment of the order.
- Pay within thirty minutes; until then we keep your items. After that the order closes by itself.
- Refunds go back the way the money came.

## Passes

You hold one pass at a time, from the moment of payment. The same level again adds its days; a higher one counts the time that is left by price; a lower one cannot be bought while a higher one runs.

## Changes

When these terms change, so does the date at the top. Orders follow the terms under which they were made.
`,
};
