import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { writeMiniProgram } from "#scripts/mini-program.ts";
import { type MiniProgramPage, openMiniProgram, type Phone } from "#tests/support/client/mini-program.ts";
import { createPayer, miniProgramEnv } from "#tests/support/client/payer.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";

// The mini program as a shop uploads it, in miniprogram-simulate, against the server and the stub of WeChat.
const servers = prepareWechatServers();
const folder = mkdtempSync(join(tmpdir(), "mini-program-"));
beforeAll(() =>
  writeMiniProgram(
    {
      origin: "https://api.shop.test",
      appid: "wx0123456789abcdef",
      name: "店",
      accent: { light: "#00774a", dark: "#2be38e" },
    },
    folder,
  ),
);
afterAll(() => rmSync(folder, { recursive: true }));

const see = (page: MiniProgramPage, name: string, text: string | RegExp) =>
  vi.waitFor(() => expect(page.read(name)).toMatch(text), { timeout: 20_000, interval: 50 });

async function withPhones(engine: Engine) {
  const { wechat } = servers();
  const { server, buyer, post } = await servers().withBuyer(engine, miniProgramEnv);
  const payments: ReturnType<typeof wechat.prepayStub.pay>[] = [];
  /** Opens the code of an order in somebody's WeChat. */
  const scan = (orderSn: string, phone: Partial<Phone> = {}) => {
    const { openid } = createPayer(server, wechat);
    return openMiniProgram(
      folder,
      { scene: encodeURIComponent(`sn=${orderSn}`) },
      {
        fetch: server.fetch,
        login: () => wechat.prepayStub.login(openid),
        pay({ timeStamp = "", nonceStr = "", package: prepayId = "", paySign = "" }) {
          const parameters = { timeStamp, nonceStr, package: prepayId, signType: "RSA", paySign } as const;
          payments.push(wechat.prepayStub.pay(parameters, openid));
          return "ok";
        },
        ...phone,
      },
    );
  };
  const report = async () => {
    for (const payment of payments.splice(0)) await post(wechat.notice(payment));
  };
  return { buyer, scan, report, payments };
}

describeOnEngines("the mini program and the server on %s", (engine) => {
  it("take a payment from the code to the notice", async () => {
    const { buyer, scan, report } = await withPhones(engine);
    const order = await buyer.order();
    const { items } = await buyer.info(order, { locale: "zh-CN" });
    const page = scan(order);
    await see(page, "sum", /^¥\d/);
    expect(page.read("title")).toBe(items[0]?.title);
    const [label = ""] = page.buttons();
    page.tap(label);
    await see(page, "heading", "微信还在确认");
    await report();
    await see(page, "heading", "付好了");
    expect(await buyer.info(order)).toMatchObject({ status: "paid" });
  });

  it("tell the second of two payers that the money comes back", async () => {
    const { buyer, scan, report, payments } = await withPhones(engine);
    const order = await buyer.order();
    const [mine, friends] = [scan(order), scan(order, { language: "en" })];
    await see(mine, "sum", /^¥/);
    await see(friends, "sum", /^¥/);
    mine.tap(mine.buttons()[0] ?? "");
    await see(mine, "heading", "微信还在确认");
    friends.tap(friends.buttons()[0] ?? "");
    await see(friends, "heading", "WeChat is still confirming");
    expect(new Set(payments.map(({ out_trade_no }) => out_trade_no)).size).toBe(2);
    await report();
    await see(mine, "heading", "付好了");
    await see(friends, "heading", "Somebody paid first");
  });

  it("leave an order open that its payer gives up, and do not find an unknown one", async () => {
    const { buyer, scan } = await withPhones(engine);
    const order = await buyer.order();
    const page = scan(order, { pay: () => "fail cancel" });
    await see(page, "sum", /^¥/);
    page.tap(page.buttons()[0] ?? "");
    await see(page, "note", "这次没有付款，订单还在。");
    page.close();
    await see(scan("M261129132151EBQ3ZTBV"), "heading", "没有这笔订单");
    await see(scan("somethingElse"), "heading", "没有这笔订单");
  });

  it("say of a pass on an iPhone that this device cannot pay it", async () => {
    const { buyer, scan } = await withPhones(engine);
    const page = scan(await buyer.orderPackage(), { platform: "ios" });
    await see(page, "heading", "这台设备上不能付款");
  });
});
