import { execa } from "execa";
import { bookDemo, type Demo, demoOrders } from "#tests/support/client/demo.ts";
import { type PicturedPage, shop } from "./record.ts";

/** Public pages that every shop has. */
const commonPages: PicturedPage[] = [
  { name: "home", path: "/" },
  { name: "event-list", path: "/event" },
  { name: "news", path: "/news" },
  { name: "terms", path: "/about/terms" },
  { name: "privacy", path: "/about/privacy" },
  { name: "search", path: "/search" },
  { name: "mall", path: "/mall" },
  { name: "item-unknown", path: "/mall/item/no-such" },
  { name: "login", path: "/user/login" },
  { name: "ui", path: "/user/ui" },
  { name: "404", path: "/no/such/page" },
  { name: "500", path: "/500" },
];

/** Of the demo's many pages of one kind, those that differ. */
const demoPages: PicturedPage[] = [
  { name: "event", path: "/event/entrance" },
  { name: "event-walk-in", path: "/event/night" },
  { name: "event-later", path: "/event/midnight" },
  { name: "event-past", path: "/event/rehearsal" },
  { name: "spring", path: "/event/spring" },
  { name: "news-2", path: "/news/page/2" },
  { name: "article", path: "/news/queue" },
  { name: "article-one-language", path: "/news/stage-words" },
  { name: "search-results", path: "/search?q=%E4%B8%8A%E6%B5%B7" },
  { name: "item", path: "/mall/item/vinyl" },
  { name: "item-tote", path: "/mall/item/tote" },
  { name: "item-cassette", path: "/mall/item/cassette" },
  { name: "vip", path: "/mall/vip/regular" },
  { name: "vip-all-access", path: "/mall/vip/all-access" },
];

/** Returns the public pages: of the label, every one in its sitemap. */
export async function listPublicPages(origin: string): Promise<PicturedPage[]> {
  if (shop === "demo") return [...commonPages, ...demoPages];
  const sitemap = await (await fetch(new URL("/sitemap-0.xml", origin))).text();
  const paths = Array.from(sitemap.matchAll(/<loc>([^<]+)/g), ([, url = ""]) => new URL(url).pathname);
  const own = paths.filter((path) => /^\/(event|news|mall)\/./.test(path));
  return [...commonPages, ...own.map((path) => ({ name: path.slice(1).replaceAll("/", "-"), path }))];
}

/** Returns the pages of two members, of whom one orders and books. `data` is the server's data folder. */
export async function listMemberPages(demo: Demo, origin: string, data: string): Promise<PicturedPage[]> {
  const orders = await demoOrders(demo, origin);
  const operate = (...args: string[]) =>
    execa(process.execPath, ["scripts/operator-command.ts", "orders", ...args], { env: { DATA_DIR: data, ENV_FILE: "" } });
  const ship = (order_sn: string) => operate("ship", order_sn, "--carrier", "顺丰", "--tracking", "SF1234567890");
  const [shipped, completed, refunded] = [await orders.spare("mall"), await orders.spare("mall"), await orders.spare("mall")];
  await ship(shipped);
  await ship(completed);
  await operate("complete", completed);
  await operate("refund", refunded);
  const ware = await orders.getCheckout();
  const { booked, open } = await bookDemo(demo);
  const own = [
    { name: "home-joined", path: "/" },
    { name: "spring-booked", path: "/event/spring" },
    { name: "profile", path: "/user/info" },
    { name: "confirm", path: `/mall/order/confirm/${ware}` },
    { name: "confirm-and-pay", path: `/mall/order_bak/${ware}` },
    { name: "order-pending", path: `/mall/order/${await orders.pending("mall")}` },
    { name: "order-paid", path: `/mall/order/${await orders.paid("mall")}` },
    { name: "order-cancelled", path: `/mall/order/${await orders.cancelled("mall")}` },
    { name: "order-shipped", path: `/mall/order/${shipped}` },
    { name: "order-completed", path: `/mall/order/${completed}` },
    { name: "order-refunded", path: `/mall/order/${refunded}` },
    { name: "order-unknown", path: "/mall/order/no-such" },
    // Before the pending one: members of a pass cannot order a lower one.
    { name: "pass-paid", path: `/user/order/${await orders.paid("package")}` },
    { name: "pass-pending", path: `/user/order/${await orders.pending("package")}` },
    { name: "pass-cancelled", path: `/user/order/${await orders.cancelled("package")}` },
    { name: "orders", path: "/user/order/list" },
    ...(booked
      ? [
          { name: "event-booked", path: `/event/${booked}` },
          { name: "ticket", path: `/mall/order_event/${booked}` },
        ]
      : []),
    ...(open ? [{ name: "event-order", path: `/mall/order_event/${open}` }] : []),
  ];
  const first = [
    { name: "profile-empty", path: "/user/info" },
    { name: "orders-empty", path: "/user/order/list" },
    { name: "confirm-first", path: `/mall/order/confirm/${ware}` },
  ];
  return [
    ...own.map((page) => ({ ...page, by: "member" as const })),
    ...first.map((page) => ({ ...page, by: "newcomer" as const })),
  ];
}
