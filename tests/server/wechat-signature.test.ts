import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { skus } from "../../server/db/schema/catalogue.ts";
import { orders } from "../../server/db/schema/order.ts";
import { contract } from "../../src/api/contract.ts";
import { prepareWechatServers } from "../support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";
import type { Mutation } from "../support/races/mutations.ts";
import type { Forgery } from "../support/stubs/forgery.ts";
import { transaction } from "../support/stubs/wechat.ts";
import { signAlwaysBy } from "../support/stubs/wechat-keys.ts";

const day = 24 * 3600;
const accepted = { status: 200, code: "SUCCESS" };
const servers = prepareWechatServers();
beforeEach(() => void vi.mocked(console.error).mockClear());
const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const getStatus = async (server: TestServer, orderSn: string) =>
  (await server.db.select().from(orders).where(eq(orders.orderSn, orderSn)))[0]?.status;
const readyz = async (server: TestServer) => (await server.request("/readyz")).data;
const logged = () => vi.mocked(console.error).mock.calls.flat().join("\n");

/** Creates a server that knows only the platform certificate, at a time at which only the public key signs. */
async function withUnknownKey(engine: Engine, mutations: Mutation[] = []) {
  const { wechat } = servers();
  const certificateOnly = wechat.withKeys("certificate");
  const { server, buyer, post } = await servers().withBuyer(engine, certificateOnly, mutations);
  Object.assign(wechat.signing, signAlwaysBy(wechat.payKeys.publicKey.id));
  /** Another process on the same database, with other keys. */
  const restart = (...names: Parameters<typeof wechat.withKeys>) =>
    createTestServer(engine, { db: server.db, env: { ...wechat.env, ...wechat.withKeys(...names) } });
  return { wechat, server, buyer, post, restart };
}

describeOnEngines("an order whose responses from WeChat Pay cannot be verified on %s", (engine) => {
  const unknown = "are signed by a key that is not configured";
  const causes: [what: string, forgery: Forgery, reason: RegExp][] = [
    [unknown, {}, /the key PUB_KEY_ID_0119000000012026, which is not in WECHAT_PAY_KEY_ID/],
    ["have another time than the server's clock", { clock: -400_000 }, /this server's clock is 40\d s ahead of its time/],
    [
      "do not match the file of their key",
      { stranger: true },
      /does not match the file of the key PUB_KEY_ID_0119000000012026/,
    ],
  ];

  it.each(causes)("stays open with its stock where they %s, until one is verified", async (what, forgery, reason) => {
    const { wechat, server, buyer, restart } = await withUnknownKey(engine);
    const faulty = await restart(what === unknown ? "certificate" : "publicKey");
    wechat.behaviour.forgery = forgery;
    const [paid, unpaid] = [await buyer.order(), await buyer.order()];
    servers().pay(paid);
    wechat.openPayments.set(unpaid, "NOTPAY");
    const states = async () => [await getStatus(server, paid), await getStatus(server, unpaid), await getStock(server)];
    const [, , reserved] = await states();
    expect(await buyer.send(contract.orderCancel, { order_sn: unpaid })).toMatchObject({ status: 503, code: 10503 });
    // Requests that fail altogether count for nothing meanwhile.
    for (const [seconds, down] of [
      [30 * 60, false],
      [6 * 60, true],
      [6 * 60, true],
      [7 * 3600, true],
      [9 * day, false],
    ] as const) {
      for (const one of [server, faulty]) one.advanceClock(seconds);
      wechat.behaviour.down = down;
      await faulty.runScheduler();
    }
    expect(await states()).toEqual(["pending", "pending", reserved]);
    expect(logged()).toMatch(reason);
    // From the database: every process says it.
    expect(await readyz(server)).toMatchObject({ payment: expect.stringMatching(reason) });
    const footer = "Orders whose payment is unclear: 2 (npm run orders -- list --state unclear)";
    expect((await server.runOrdersCommand("list", "--state", "unclear")).split("\n")).toEqual([
      ...[unpaid, paid]
        .toSorted((one, other) => (one < other ? 1 : -1))
        .map((sn) => expect.stringMatching(`^${sn}  pending  .*  unclear since 20`)),
      footer,
    ]);
    expect(await server.runOrdersCommand("list")).toBe(`No orders.\n${footer}`);

    wechat.behaviour.forgery = {};
    const mended = await restart("publicKey", "certificate");
    mended.advanceClock((server.now().getTime() - mended.now().getTime()) / 1000 + 120);
    await mended.runScheduler();
    expect(await states()).toEqual(["paid", "closed", Number(reserved) + 1]);
    expect(await server.runOrdersCommand("list", "--state", "unclear")).toBe("No orders.");
    expect(await readyz(mended)).toMatchObject({ payment: "ok" });
  });

  /** Leaves an order unclear, then lets WeChat Pay fail, or deny it without a signature, for longer than other orders wait. */
  async function failAfterwards(down: boolean, mutations: Mutation[] = []): Promise<string | undefined> {
    const { wechat, server, buyer } = await withUnknownKey(engine, mutations);
    const order_sn = await buyer.order();
    servers().pay(order_sn);
    await buyer.info(order_sn);
    wechat.payments.clear();
    wechat.behaviour.down = down;
    for (const seconds of [30 * 60, 6 * 60, 6 * 60]) {
      server.advanceClock(seconds);
      await server.runScheduler();
    }
    return getStatus(server, order_sn);
  }

  it("stays open when WeChat Pay fails afterwards, or denies it without a signature, and is closed without the check of that", async () => {
    expect(await failAfterwards(false)).toBe("pending");
    expect(await failAfterwards(true)).toBe("pending");
    expect(await failAfterwards(true, ["close-pending"])).toBe("closed");
  });

  it("is closed by the operator with a reason, and a payment that is found later reopens it", async () => {
    const { server, buyer, restart } = await withUnknownKey(engine);
    const order_sn = await buyer.order();
    servers().pay(order_sn);
    const reserved = Number(await getStock(server));
    const close = (...why: string[]) => server.runOrdersCommand("close", order_sn, ...why);
    const onlyUnclear = "only an order whose payment is unclear can be closed.";
    servers().wechat.behaviour.down = true;
    expect(await close("--why", "x")).toBe(`${order_sn} is pending: ${onlyUnclear}`);
    servers().wechat.behaviour.down = false;
    server.advanceClock(30 * 60);
    await server.runScheduler();
    for (const why of [[], ["--why", " "], ["--why", "x".repeat(201)], ["--why", "a\u001b[2Jb"]])
      expect(await close(...why)).toMatch(/^--why (is required: 1 to 200 characters|requires a value)\.$/);
    const text = `${order_sn} is closed, and its stock is free. A payment that is found later reopens it, or is to be refunded.`;
    expect(await Promise.all([close("--why", "nothing in the merchant platform"), close("--why", "again")])).toEqual(
      expect.arrayContaining([text, `${order_sn} is closed (expired): ${onlyUnclear}`]),
    );
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", close_reason: "expired" });
    expect(await getStock(server)).toBe(reserved + 1);
    expect((await server.runCommand("audit", "list", order_sn)).text).toMatch(
      new RegExp(`  orders close  ${order_sn}  why: (nothing in the merchant platform|again)$`),
    );
    expect(await server.runOrdersCommand("list")).toBe("No orders.");
    const mended = await restart("publicKey");
    mended.advanceClock(32 * 60);
    await mended.runScheduler();
    expect([await getStatus(server, order_sn), await getStock(server)]).toEqual(["paid", reserved]);
  });

  it("is not closed by the operator where a response is verified at that moment: it is paid, or expires", async () => {
    const { wechat, server, buyer, restart } = await withUnknownKey(engine);
    const [paid, unpaid] = [await buyer.order(), await buyer.order()];
    servers().pay(paid);
    wechat.openPayments.set(unpaid, "NOTPAY");
    server.advanceClock(30 * 60);
    await server.runScheduler();
    const mended = await restart("publicKey");
    mended.advanceClock(30 * 60);
    const close = (orderSn: string) => mended.runOrdersCommand("close", orderSn, "--why", "x");
    expect(await close(paid)).toBe(`${paid} is paid: only an order whose payment is unclear can be closed.`);
    expect(await close(unpaid)).toBe(`${unpaid} is closed (expired): only an order whose payment is unclear can be closed.`);
  });

  it("is paid by a notice that is verified", async () => {
    const { wechat, server, buyer, post } = await withUnknownKey(engine);
    const order_sn = await buyer.order();
    const payment = servers().pay(order_sn);
    server.advanceClock(2 * day);
    await server.runScheduler();
    expect((await post(wechat.notice(payment))).status).toBe(401);
    expect(logged()).toContain("A payment notice was rejected: it is signed with the key PUB_KEY_ID_0119000000012026, which");
    Object.assign(wechat.signing, signAlwaysBy(wechat.payKeys.certificate.id));
    expect(await post(wechat.notice(payment))).toEqual(accepted);
    expect(await getStatus(server, order_sn)).toBe("paid");
    expect(await server.runOrdersCommand("list", "--state", "unclear")).toBe("No orders.");
  });

  it("is refunded under one number, and the command does not call that no response", async () => {
    const { wechat, server, buyer, post, restart } = await withUnknownKey(engine);
    Object.assign(wechat.signing, signAlwaysBy(wechat.payKeys.certificate.id));
    const order_sn = await buyer.order();
    await post(wechat.notice(servers().pay(order_sn)));
    Object.assign(wechat.signing, signAlwaysBy(wechat.payKeys.publicKey.id));
    const output = await server.runOrdersCommand("refund", order_sn);
    expect(output).toMatch(
      /has responded to the refund M\w+R1, but the response cannot be verified \(`payment` of \/readyz says why\)/,
    );
    expect(logged()).toContain("Sending a refund failed: WeChat Pay has responded, but it is signed with the key PUB_KEY_ID_");
    server.advanceClock(60);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid", refund: { status: "processing" } });
    const mended = await restart("publicKey");
    mended.advanceClock(3 * 60);
    await mended.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", close_reason: "refund_due" });
    expect(wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`]);
  });
});

describeOnEngines("a notice of WeChat Pay on %s", (engine) => {
  it.each<[what: string, changes: object, forgery: Forgery]>([
    ["whose associated_data is null", {}, { associatedData: null }],
    ["whose associated_data is empty", {}, { associatedData: "" }],
    ["without a currency", { amount: { total: 11_000, payer_total: 11_000 } }, {}],
    ["whose currency is null", { amount: { total: 11_000, currency: null } }, {}],
    ["whose serial is in lower case", {}, { serial: "pub_key_id_0119000000012026" }],
  ])("is accepted %s", async (_what, changes, forgery) => {
    const { buyer, post } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    expect(await post(servers().wechat.notice(transaction(order_sn, 11_000, changes), forgery))).toEqual(accepted);
    expect((await buyer.info(order_sn)).status).toBe("paid");
  });

  it.each<[what: string, forgery: Forgery, reason: RegExp | null]>([
    ["as a probe of signatures, which is not logged", { headers: probe }, null],
    ["sent 400 s ago", { clock: -400_000 }, /this server's clock is 40[01] s ahead of its time \(at most 300 s are allowed\)/],
    ["sent in 302 s", { clock: 302_000 }, /this server's clock is 30[12] s behind its time/],
    [
      "signed by an unknown key",
      { serial: "PUB_KEY_ID_02" },
      /it is signed with the key PUB_KEY_ID_02, which is not in WECHAT_PAY_KEY_ID/,
    ],
    ["with a serial that a terminal would obey", { serial: "\u009b2J" }, /it is not signed by WeChat Pay$/],
    ["of somebody else", { stranger: true }, /its signature does not match the file of the key PUB_KEY_ID_0119000000012026/],
    ["without a signature", { headers: withoutSignature }, /it is not signed by WeChat Pay$/],
  ])("is refused %s, for its own reason", async (_what, forgery, reason) => {
    const { server, buyer, post } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    expect(await post(servers().wechat.notice(servers().pay(order_sn), forgery))).toEqual({ status: 401, code: "FAIL" });
    if (reason) expect(logged()).toMatch(reason);
    else expect(logged()).toBe("");
    expect(await getStatus(server, order_sn)).toBe("pending");
    // Anybody can send a notice: it says nothing about the keys of this server.
    expect(await readyz(server)).toMatchObject({ payment: "ok" });
  });
});

function probe(headers: Record<string, string>) {
  return { ...headers, "wechatpay-signature": `WECHATPAY/SIGNTEST/${headers["wechatpay-signature"]}` };
}

function withoutSignature({ "wechatpay-signature": _, ...headers }: Record<string, string>) {
  return headers;
}
