import type { Demo } from "../../scripts/demo.ts";
import { demoOrders } from "../../scripts/demo-orders.ts";

/** A kind of page, by one of them. */
export interface Kind {
  path: string;
  /** Whose row of promises it stands in. */
  row: "reading" | "mall" | "member";
  /** Measured for a member who has logged in. */
  session?: boolean;
}

const open: Kind[] = [
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

/** All of them; those of a member with orders to look at. */
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
  return [...open, ...paths.map((path): Kind => ({ path, row: "member", session: true }))];
}
