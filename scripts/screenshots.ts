import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { startLabelSite, startTestSite } from "../tests/support/content/test-site.ts";
import { findBrowser } from "./browser.mjs";
import { bookDemo, type Demo, demoOrders, logInDemo } from "./demo.ts";
import { endOnSignal, root, startNode, waitForExit } from "./process.ts";
import {
  compare,
  follow,
  type Picture,
  type Record,
  readRecord,
  renderIndex,
  type ScreenshotPage,
  writeRecord,
} from "./screenshots-compare.ts";

/** Public pages that every shop has. */
const commonPages: ScreenshotPage[] = [
  { name: "home", path: "/", design: "index" },
  { name: "event-list", path: "/event" },
  { name: "news", path: "/news", design: "news" },
  { name: "terms", path: "/about/terms" },
  { name: "privacy", path: "/about/privacy" },
  { name: "search", path: "/search" },
  { name: "mall", path: "/mall", design: "mall" },
  { name: "item-unknown", path: "/mall/item/no-such" },
  { name: "login", path: "/user/login", design: "login" },
  { name: "ui", path: "/user/ui", design: "ui" },
  { name: "404", path: "/no/such/page", design: "404" },
  { name: "500", path: "/500", design: "500" },
];

/** Of the demo's many pages of one kind, those that differ. */
const demoPages: ScreenshotPage[] = [
  { name: "event", path: "/event/entrance", design: "event" },
  { name: "event-walk-in", path: "/event/night" },
  { name: "event-later", path: "/event/midnight" },
  { name: "event-past", path: "/event/rehearsal" },
  { name: "spring", path: "/event/spring", design: "spring" },
  { name: "news-2", path: "/news/page/2" },
  { name: "article", path: "/news/queue", design: "article" },
  { name: "article-one-language", path: "/news/stage-words" },
  { name: "search-results", path: "/search?q=%E4%B8%8A%E6%B5%B7" },
  { name: "item", path: "/mall/item/vinyl", design: "item" },
  { name: "item-tote", path: "/mall/item/tote" },
  { name: "item-cassette", path: "/mall/item/cassette" },
  { name: "vip", path: "/mall/vip/regular", design: "vip" },
  { name: "vip-all-access", path: "/mall/vip/all-access" },
];

/** Returns the public pages of a shop: those of the demo, or every page in the sitemap of another. */
async function publicPages(origin: string): Promise<ScreenshotPage[]> {
  const sitemap = await (await fetch(new URL("/sitemap-0.xml", origin))).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => new URL(url).pathname);
  if (demoPages.slice(0, 3).every(({ path }) => paths.includes(path))) return [...commonPages, ...demoPages];
  const own = paths.filter((path) => /^\/(event|news|mall)\/./.test(path));
  return [...commonPages, ...own.map((path) => ({ name: path.slice(1).replaceAll("/", "-"), path }))];
}

/** Returns the pages of a member, with an order in each state, created when missing. `data` is the server's data folder. */
async function memberPages(demo: Demo, origin: string, data: string): Promise<ScreenshotPage[]> {
  const orders = await demoOrders(demo, origin);
  /** Runs an operator command; returns whether it succeeds. */
  const operate = async (...args: string[]) =>
    (await waitForExit(startNode(["scripts/operator.ts", "orders", ...args], { DATA_DIR: data, ENV_FILE: "" }, "ignore")))
      .status === 0;
  const ship = (order_sn: string) => operate("ship", order_sn, "--carrier", "顺丰", "--tracking", "SF1234567890");
  /** By the state that they lead to. */
  const steps = {
    shipped: [ship],
    completed: [ship, (order_sn: string) => operate("complete", order_sn)],
    refunded: [(order_sn: string) => operate("refund", order_sn)],
  };
  const processed: ScreenshotPage[] = [];
  const canOperate = await operate("list");
  for (const [state, actions] of Object.entries(steps)) {
    let order_sn = await orders.find("mall", (order) => (order.close_reason ?? order.status) === state);
    if (!order_sn && canOperate) {
      order_sn = await orders.spare("mall");
      for (const step of actions) if (order_sn && !(await step(order_sn))) order_sn = null;
    }
    if (order_sn) processed.push({ name: `order-${state}`, path: `/mall/order/${order_sn}` });
    else console.log(`No order is ${state}: skipping its picture.`);
  }
  const ware = await orders.getCheckout();
  const passPaid = await orders.paid("package");
  const { booked, open } = await bookDemo(demo);
  const own: ScreenshotPage[] = [
    { name: "home-joined", path: "/", design: "index-joined" },
    { name: "spring-booked", path: "/event/spring" },
    { name: "profile", path: "/user/info", design: "profile" },
    { name: "confirm", path: `/mall/order/confirm/${ware}`, design: "confirm" },
    { name: "confirm-and-pay", path: `/mall/order_bak/${ware}` },
    { name: "order-pending", path: `/mall/order/${await orders.pending("mall")}`, design: "order-awaiting" },
    { name: "order-paid", path: `/mall/order/${await orders.paid("mall")}`, design: "order-paid" },
    { name: "order-cancelled", path: `/mall/order/${await orders.cancelled("mall")}` },
    ...processed,
    { name: "order-unknown", path: "/mall/order/no-such" },
    { name: "pass-pending", path: `/user/order/${await orders.pending("package")}` },
    { name: "pass-paid", path: `/user/order/${passPaid}` },
    { name: "pass-cancelled", path: `/user/order/${await orders.cancelled("package")}` },
    // After every order.
    { name: "orders", path: "/user/order/list", design: "orders" },
    ...(booked
      ? [
          { name: "event-booked", path: `/event/${booked}` },
          { name: "ticket", path: `/mall/order_event/${booked}` },
        ]
      : []),
    ...(open ? [{ name: "event-order", path: `/mall/order_event/${open}` }] : []),
  ];
  const first: ScreenshotPage[] = [
    { name: "profile-empty", path: "/user/info" },
    { name: "orders-empty", path: "/user/order/list", design: "orders-empty" },
    { name: "confirm-first", path: `/mall/order/confirm/${ware}` },
  ];
  return [
    ...own.map((page) => ({ ...page, by: "member" as const })),
    ...first.map((page) => ({ ...page, by: "newcomer" as const })),
  ];
}

const usage = `npm run pictures -- [folder] [--label] [--design folder] [--origin URL --data folder] [--page name]… [--width 375]…
Every page x 375 / 1440 x light / dark x language, as PNGs with an index.html; default folder: .cache/pictures.
--design, or DESIGN_SHOTS: a folder of the design's pictures, named like index-375-dark-zh.png; the index shows them beside ours.
--origin, --data: a running server and its data folder, on which two members are made, who order and book; default: a new
server with new data.
--label: the label of the tests, whose pictures are photographs, in place of the demo.
--against: a folder of pictures that this command made before: takes the same ones of this build, with the orders and the
clock of those, lists what differs beyond antialiasing, and exits with status 1 if something does.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    design: { type: "string", default: process.env.DESIGN_SHOTS ?? "" },
    origin: { type: "string", default: "" },
    label: { type: "boolean", default: false },
    data: { type: "string", default: ".data" },
    against: { type: "string", default: "" },
    page: { type: "string", multiple: true, default: [] },
    width: { type: "string", multiple: true, default: ["375", "1440"] },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
endOnSignal(130);
const before = values.against && resolve(root, values.against);
const folder = resolve(root, positionals[0] ?? (before ? ".cache/pictures-now" : ".cache/pictures"));
if (folder === before) throw new Error("--against is the folder that the new pictures would replace");
mkdirSync(folder, { recursive: true });
const former = before ? readRecord(before) : null;
const siteFolder = join(root, ".cache/pictures-site");
const demoSite = values.origin || values.label ? null : await startTestSite(siteFolder);
const labelSite = values.label ? await startLabelSite(`${siteFolder}-label`) : null;
const site = demoSite ?? labelSite;
if (!values.origin && !site) process.exit(1);
const origin = demoSite?.env.TEST_ORIGIN ?? labelSite?.env.TEST_LABEL_ORIGIN ?? values.origin;
const data = demoSite?.env.TEST_DATA_DIR ?? labelSite?.env.TEST_LABEL_DATA_DIR ?? values.data;

const members = { member: await logInDemo(origin, data), newcomer: await logInDemo(origin, data, "13800138001") };
const open = await publicPages(origin);
const isOpen = (name: string) => open.some((page) => page.name === name);
const needsMember = values.page.length === 0 || !values.page.every(isOpen);
const all = former?.pages ?? [...open, ...(needsMember ? await memberPages(members.member, origin, data) : [])];
const record: Record = former ?? { at: Date.now(), pages: all, answers: {} };
const pages = all.filter(({ name }) => values.page.length === 0 || values.page.includes(name));
const executablePath = findBrowser();
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

/** Opens a browser context of a visitor or a member. */
function openContext(
  width: number,
  colorScheme: "light" | "dark",
  locale: string,
  by: ScreenshotPage["by"],
): Promise<BrowserContext> {
  const localStorage = Object.entries(by ? members[by].stored : {}).map(([name, value]) => ({ name, value }));
  return browser.newContext({
    viewport: { width, height: width < 768 ? 812 : 900 },
    isMobile: width < 768,
    hasTouch: width < 768,
    colorScheme,
    locale,
    timezoneId: "Asia/Shanghai",
    reducedMotion: "reduce",
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
}

async function capture(page: Page, { path }: ScreenshotPage, prefix: string, file: string): Promise<void> {
  await page.goto(origin + prefix + (path === "/" && prefix ? "" : path));
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
    // Fixed bars go to the end of a full-page picture, not across its middle.
    document.body.style.position = "relative";
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const { position, bottom } = getComputedStyle(element);
      if (position !== "fixed" || bottom !== "0px") continue;
      element.style.position = "absolute";
      // Out of what is positioned around it, which it would end with.
      document.body.append(element);
    }
  });
  await page.screenshot({ path: file, fullPage: true });
}

const pictures: Picture[] = [];
const differences: string[] = [];
for (const width of values.width.map(Number))
  for (const mode of ["light", "dark"] as const)
    for (const [language, locale, prefix] of [
      ["zh", "zh-CN", ""],
      ["en", "en-US", "/en-US"],
    ] as const)
      for (const by of [undefined, "member", "newcomer"] as const) {
        const context = await openContext(width, mode, locale, by);
        await follow(context, `${language} ${by ?? "visitor"}`, record);
        const page = await context.newPage();
        for (const pictured of pages.filter((candidate) => candidate.by === by)) {
          const variant = `${width}-${mode}-${language}`;
          const file = `${pictured.name}-${variant}.png`;
          await capture(page, pictured, prefix, join(folder, file));
          const different = before && (await compare(join(before, file), join(folder, file), join(folder, `differs-${file}`)));
          if (different) differences.push(`${file} ${different}`);
          const drawn = `${pictured.design}-${variant}.png`;
          const beside = values.design && existsSync(join(values.design, drawn)) ? `design-${drawn}` : null;
          if (beside) copyFileSync(join(values.design, drawn), join(folder, beside));
          pictures.push({ page: pictured.name, variant, file, design: beside });
        }
        await context.close();
      }
await browser.close();
await site?.end();
const order = pages.map(({ name }) => name);
pictures.sort((a, b) => order.indexOf(a.page) - order.indexOf(b.page));
writeFileSync(join(folder, "index.html"), renderIndex(pictures));
writeRecord(folder, record);
console.log(`${pictures.length} pictures: ${join(folder, "index.html")}`);
if (before) console.log(differences.length > 0 ? differences.join("\n") : `No picture differs from ${before}.`);
process.exitCode = differences.length > 0 ? 1 : 0;
