import { createBuyer } from "../client/order.ts";
import { createTestServer, type TestServer } from "../processes/test-server.ts";
import { startWechat, transaction, type WechatStub } from "./wechat.ts";

type Engine = Parameters<typeof createTestServer>[0];
interface Notice {
  headers: Record<string, string>;
  body: string;
}

/** Creates servers that share one WeChat stub, whose clock is that of the newest server. */
export async function createWechatServers() {
  let server: TestServer | null = null;
  const wechat: WechatStub = await startWechat(() => server?.now().getTime() ?? Date.now());

  async function withBuyer(engine: Engine, env: Record<string, string> = {}) {
    const created = await createTestServer(engine, { env: { ...wechat.env, ...env } });
    server = created;
    for (const map of [wechat.payments, wechat.openPayments, wechat.refundStub.refunds]) map.clear();
    for (const list of [
      wechat.requests.queries,
      wechat.requests.closings,
      wechat.refundStub.requests.creations,
      wechat.refundStub.requests.queries,
    ])
      list.length = 0;
    Object.assign(wechat.behaviour, { hang: false, unsigned: false, down: false });
    Object.assign(wechat.refundStub.behaviour, { status: "PROCESSING", refusal: null });
    const post = async (notice: Notice) => {
      const request = new Request("http://host.test/pay/wechat/notice", { method: "POST", ...notice });
      const response = await created.fetch(request);
      return { status: response.status, code: (await response.json()).code };
    };
    return { server: created, buyer: await createBuyer(created), post };
  }

  /** Records a payment at WeChat without sending a notice. */
  function pay(orderSn: string, payFen = 11_000) {
    const payment = transaction(orderSn, payFen);
    wechat.payments.set(orderSn, payment);
    return payment;
  }

  return { wechat, withBuyer, pay };
}
