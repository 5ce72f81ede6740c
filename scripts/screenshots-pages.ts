import { activityInfo } from "../src/api/activity.ts";
import type { DataOf } from "../src/api/call.ts";
import { type Demo, demoOrders } from "./demo.ts";
import { startNode, waitForExit } from "./process.ts";

/** A page to capture, and the name of its picture in the design. */
export interface ScreenshotPage {
  name: string;
  path: string;
  design?: string;
  /** Captured as the demo member. */
  session?: boolean;
}

/** Public pages. */
export const openPages: ScreenshotPage[] = [
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
  { name: "mall", path: "/mall", design: "mall" },
  { name: "item", path: "/mall/item/vinyl", design: "item" },
  { name: "vip", path: "/mall/vip/regular", design: "vip" },
  { name: "login", path: "/user/login", design: "login" },
  { name: "ui", path: "/user/ui", design: "ui" },
  { name: "404", path: "/no/such/page", design: "404" },
  { name: "500", path: "/500", design: "500" },
];

/** Returns the pages of a member, with an order in each state, created when missing. `data` is the server's data folder. */
export async function memberPages(demo: Demo, origin: string, data: string): Promise<ScreenshotPage[]> {
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
