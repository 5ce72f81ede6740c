import { type Buyer, newBuyer } from "./order.ts";
import { createTestServer, type TestServer } from "./test-server.ts";
import { startWechat, transaction, type WechatStandIn } from "./wechat.ts";

type Engine = Parameters<typeof createTestServer>[0];
interface Notice {
  headers: Record<string, string>;
  body: string;
}

/** Hosts that are paid by way of one local WeChat, whose clock is that of the host made last. */
export async function wechatServers() {
  let server: TestServer | null = null;
  const wechat: WechatStandIn = await startWechat(() => server?.now().getTime() ?? Date.now());

  async function withBuyer(engine: Engine, env: Record<string, string> = {}) {
    const made = await createTestServer(engine, { env: { ...wechat.env, ...env } });
    server = made;
    for (const map of [wechat.paid, wechat.begun, wechat.book.refunds]) map.clear();
    for (const list of [wechat.seen.asked, wechat.seen.closed, wechat.book.seen.sent, wechat.book.seen.asked]) list.length = 0;
    Object.assign(wechat.mood, { hang: false, unsigned: false, down: false });
    Object.assign(wechat.book.mood, { status: "PROCESSING", refusal: null });
    const post = async (notice: Notice) => {
      const request = new Request("http://host.test/pay/wechat/notice", { method: "POST", ...notice });
      const answer = await made.fetch(request);
      return { status: answer.status, said: (await answer.json()).code };
    };
    return { server: made, buyer: await newBuyer(made), post };
  }

  /** Pays at WeChat, without that the host hears of it. */
  function pay(orderSn: string, payFen = 11_000) {
    const payment = transaction(orderSn, payFen);
    wechat.paid.set(orderSn, payment);
    return payment;
  }

  return { wechat, withBuyer, pay };
}

export const infoOf = async (buyer: Buyer, orderSn: string) => (await buyer.info(orderSn)).data.info;
