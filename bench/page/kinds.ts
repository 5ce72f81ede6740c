import type { Demo } from "../../scripts/demo.ts";
import { demoOrders } from "../../scripts/demo-orders.ts";

/** A kind of page, represented by one page. */
export interface Kind {
  path: string;
  /** The group of pages that share a budget. */
  row: "reading" | "mall" | "member";
  /** Measured with a member's session. */
  session?: boolean;
}

const publicKinds: Kind[] = [
  { path: "/", row: "reading" },
  { path: "/event", row: "reading" },
  { path: "/event/entrance", row: "reading" },
  { path: "/event/spring", row: "reading" },
  { path: "/news", row: "reading" },
  { path: "/news/exit-sign", row: "reading" },
  { path: "/about/terms", row: "reading" },
  { path: "/mall", row: "mall" },
  { path: "/mall/item/vinyl", row: "mall" },
  { path: "/mall/vip/regular", row: "mall" },
  { path: "/user/login", row: "member" },
];

/** Returns all kinds; creates orders for the member's pages. */
export async function allKinds(demo: Demo, origin: string): Promise<Kind[]> {
  const orders = await demoOrders(demo, origin);
  const paths = [
    "/user/info",
    "/user/order/list",
    `/user/order/${await orders.paid("package")}`,
    "/mall/order/confirm/tote?sku=tote&quantity=1",
    "/mall/order_bak/tote?sku=tote&quantity=1",
    "/mall/order_event/entrance",
    `/mall/order/${await orders.pending("mall")}`,
  ];
  return [...publicKinds, ...paths.map((path): Kind => ({ path, row: "member", session: true }))];
}
