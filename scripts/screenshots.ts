import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { activityInfo } from "../src/api/activity.ts";
import type { DataOf } from "../src/api/call.ts";
import { findBrowser } from "./browser.mjs";
import { type Demo, demoOrders, logInDemo } from "./demo.ts";
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
import { startTestSite } from "./test-site.ts";

/** Public pages. */
const openPages: ScreenshotPage[] = [
  { name: "home", path: "/", design: "index" },
  { name: "event-list", path: "/event" },
  { name: "event", path: "/event/entrance", design: "event" },
  { name: "event-past", path: "/event/night" },
  { name: "spring", path: "/event/spring", design: "spring" },
  { name: "news", path: "/news", design: "news" },
  { name: "news-2", path: "/news/page/2" },
  { name: "article", path: "/news/queue", design: "article" },
  { name: "article-one-language", path: "/news/stage-words" },
  { name: "terms", path: "/about/terms" },
  { name: "privacy", path: "/about/privacy" },
  { name: "search", path: "/search" },
  { name: "search-results", path: "/search?q=%E4%B8%8A%E6%B5%B7" },
  { name: "mall", path: "/mall", design: "mall" },
  { name: "item", path: "/mall/item/vinyl", design: "item" },
  { name: "vip", path: "/mall/vip/regular", design: "vip" },
  { name: "login", path: "/user/login", design: "login" },
  { name: "ui", path: "/user/ui", design: "ui" },
  { name: "404", path: "/no/such/page", design: "404" },
  { name: "500", path: "/500", design: "500" },
];

/** Returns the pages of a member, with an order in each state, created when missing. `data` is the server's data folder. */
async function memberPages(demo: Demo, origin: string, data: string): Promise<ScreenshotPage[]> {
  const orders = await demoOrders(demo, origin);
  /** Runs an operator command; returns whether it succeeds. */
  const operate = async (...args: string[]) =>
    (await waitForExit(startNode(["scripts/operator.ts", "orders", ...args], { DATA_DIR: data, ENV_FILE: "" }, "ignore")))
      .status === 0;
  const ship = (order_sn: string) => operate("ship", order_sn, "--carrier", "顺丰", "--tracking", "SF1234567890");
  const steps = {
    shipped: [ship],
    completed: [ship, (order_sn: string) => operate("complete", order_sn)],
    closed: [(order_sn: string) => operate("refund", order_sn)],
  };
  const processed: ScreenshotPage[] = [];
  const canOperate = await operate("list");
  for (const [status, actions] of Object.entries(steps)) {
    let order_sn = await orders.inState("mall", status);
    if (!order_sn && canOperate) {
      order_sn = await orders.spare("mall");
      for (const step of actions) if (order_sn && !(await step(order_sn))) order_sn = null;
    }
    if (order_sn) processed.push({ name: `order-${status}`, path: `/mall/order/${order_sn}` });
    else console.log(`No order is ${status}: skipping its picture.`);
  }
  const member: ScreenshotPage[] = [
    { name: "profile", path: "/user/info", design: "profile" },
    { name: "orders", path: "/user/order/list", design: "orders" },
    { name: "confirm", path: "/mall/order/confirm/tote?sku=tote&quantity=1", design: "confirm" },
    { name: "confirm-and-pay", path: "/mall/order_bak/tote?sku=tote&quantity=1" },
    { name: "order-pending", path: `/mall/order/${await orders.pending("mall")}`, design: "order-awaiting" },
    { name: "order-paid", path: `/mall/order/${await orders.paid("mall")}`, design: "order-paid" },
    ...processed,
    { name: "pass-pending", path: `/user/order/${await orders.pending("package")}` },
    { name: "pass-paid", path: `/user/order/${await orders.paid("package")}` },
  ];
  const { list } = await demo.call<DataOf<typeof activityInfo>>(activityInfo.path);
  const seat = list[0] ? [{ name: "event-order", path: `/mall/order_event/${list[0].activity_uid}`, session: true }] : [];
  return [...member.map((page) => ({ ...page, session: true })), ...seat];
}

const usage = `npm run pictures -- [folder] [--design folder] [--origin URL --data folder] [--page name]… [--width 375]…
Every page x 375 / 1440 x light / dark x language, as PNGs with an index.html; default folder: .cache/pictures.
--design, or DESIGN_SHOTS: a folder of the design's pictures, named like index-375-dark-zh.png; the index shows them beside ours.
--origin, --data: a running server and its data folder; default: a new server with new data.
--against: a folder of pictures that this command made before: takes the same ones of this build, with the orders and the
clock of those, lists what differs beyond antialiasing, and exits with status 1 if something does.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    design: { type: "string", default: process.env.DESIGN_SHOTS ?? "" },
    origin: { type: "string", default: "" },
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
const site = values.origin ? null : await startTestSite(join(root, ".cache/pictures-site"));
if (!values.origin && !site) process.exit(1);
const origin = site?.env.TEST_ORIGIN ?? values.origin;
const data = site?.env.TEST_DATA_DIR ?? values.data;

const demo = await logInDemo(origin, data);
const isOpen = (name: string) => openPages.some((page) => page.name === name);
const needsMember = values.page.length === 0 || !values.page.every(isOpen);
const all = former?.pages ?? [...openPages, ...(needsMember ? await memberPages(demo, origin, data) : [])];
const record: Record = former ?? { at: Date.now(), pages: all, answers: {} };
const pages = all.filter(({ name }) => values.page.length === 0 || values.page.includes(name));
const executablePath = findBrowser() ?? undefined;
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

/** Opens a browser context of a visitor or a member. */
function open(width: number, colorScheme: "light" | "dark", locale: string, session: boolean): Promise<BrowserContext> {
  const localStorage = Object.entries(session ? demo.stored : {}).map(([name, value]) => ({ name, value }));
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
      for (const session of [false, true]) {
        const context = await open(width, mode, locale, session);
        await follow(context, `${language} ${session ? "member" : "visitor"}`, record);
        const page = await context.newPage();
        for (const pictured of pages.filter((candidate) => Boolean(candidate.session) === session)) {
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
