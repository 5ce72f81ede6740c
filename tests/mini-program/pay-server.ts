import { Hono } from "hono";
import type { Order } from "#mini-program/calls.ts";

export const prepayment = {
  trade_no: "M261129132151EBQ3ZTBV-2",
  timeStamp: "1796000000",
  nonceStr: "5K8264ILTKCH16CQ2502SI8ZNMTM67VS",
  package: "prepay_id=wx201410272009395522657a690389285100",
  signType: "RSA",
  paySign: "oR9d8PuhnIc",
};

/** The server's two calls, as far as the mini program sees them: the tests set what they answer. */
export interface PayServer {
  order: Order;
  /** What the next calls answer instead, an HTTP status and a body; then the order, or the prepayment. */
  instead: { order: [number, unknown][]; prepay: [number, unknown][] };
  requests: { path: string; language: string | undefined; body: Record<string, string> }[];
  isOffline: boolean;
  fetch(request: Request): Promise<Response>;
  /** The bodies of the requests to a call. */
  bodies(path: "order" | "prepay"): Record<string, string>[];
}

export const fail = (code: number, data: unknown = null, status = 400): [number, unknown] => [
  status,
  { code, msg: "no", data },
];

/** Returns an order that expires in so many seconds by a clock that is an hour off the phone's. */
export function createOrder(seconds = 725, values: Partial<Order> = {}): Order {
  const serverTime = Date.now() - 3_600_000;
  return {
    order_sn: "M261129132151EBQ3ZTBV",
    title: "歌单帆布袋",
    spec: "墨黑 / 大",
    quantity: 2,
    pay_fen: 52_400,
    state: "payable",
    pay_expire_at: new Date(serverTime + seconds * 1000).toISOString(),
    server_time: new Date(serverTime).toISOString(),
    ios: true,
    shop: "社交新体验",
    ...values,
  };
}

export function createPayServer(): PayServer {
  const requests: PayServer["requests"] = [];
  const app = new Hono();
  app.post("/pay/wechat/:call", async (c) => {
    const body = await c.req.json();
    requests.push({ path: c.req.path, language: c.req.header("accept-language"), body });
    const call = c.req.param("call") === "prepay" ? "prepay" : "order";
    const [status, answer] = server.instead[call].shift() ?? [
      200,
      { code: 1, msg: "ok", data: call === "order" ? server.order : prepayment },
    ];
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
  });
  const server: PayServer = {
    order: createOrder(),
    instead: { order: [], prepay: [] },
    requests,
    isOffline: false,
    fetch: async (request) => (server.isOffline ? Promise.reject(new TypeError("offline")) : app.fetch(request)),
    bodies: (call) => requests.filter(({ path }) => path.endsWith(`/${call}`)).map(({ body }) => body),
  };
  return server;
}
