import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { skus } from "#server/db/schema/catalogue.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments } from "#server/db/schema/payment.ts";
import { contract } from "#src/api/contract.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { prepareWechatServers, type WechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";
import type { Forgery } from "#tests/support/stubs/wechat/forgery.ts";
import { signAlwaysBy } from "#tests/support/stubs/wechat/keys.ts";
import { transaction } from "#tests/support/stubs/wechat/transaction.ts";

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
    expect(await failAfterwards(true, ["close-unclear"])).toBe("closed");
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

let server: TestServer;
let post: Awaited<ReturnType<WechatServers["withBuyer"]>>["post"];

async function withOrder(engine: Engine, env: Record<string, string> = {}, mutations: Mutation[] = []) {
  const { buyer, ...created } = await servers().withBuyer(engine, env, mutations);
  ({ server, post } = created);
  const order_sn = await buyer.order();
  const info = () => buyer.info(order_sn);
  const notify = (payment: object, forgery?: Forgery) => post(servers().wechat.notice(payment, forgery));
  return { buyer, order_sn, info, notify };
}

describeOnEngines("a WeChat payment on %s", (engine) => {
  it("is recorded once for repeated notices", async () => {
    const { order_sn, info, notify } = await withOrder(engine);
    const payment = transaction(order_sn, 11_000);
    expect(await notify(payment)).toEqual(accepted);
    server.advanceClock(5);
    expect(await notify(payment)).toEqual(accepted);
    const again = servers().wechat.notice(payment);
    expect(await Promise.all([post(again), post(again), post(again)])).toEqual([accepted, accepted, accepted]);
    expect(await info()).toMatchObject({ status: "paid", close_reason: null });
    const [row] = await server.db.select().from(payments).where(eq(payments.orderSn, order_sn));
    expect(row).toMatchObject({ transactionId: payment.transaction_id, provider: "wechat", payFen: 11_000 });
    expect(row?.paidAt).toEqual(new Date("2026-01-02T10:34:56+08:00"));
  });

  it("is found without a notice by the pay page's poll and at the order's expiry", async () => {
    const { buyer, order_sn, info } = await withOrder(engine);
    expect((await info()).status).toBe("pending");
    servers().wechat.payments.set(order_sn, transaction(order_sn, 11_000));
    // WeChat Pay was queried a moment ago.
    expect((await info()).status).toBe("pending");
    server.advanceClock(10);
    expect((await info()).status).toBe("paid");
    const later = await buyer.order();
    servers().wechat.payments.set(later, transaction(later, 11_000));
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect((await buyer.info(later)).status).toBe("paid");
    expect(servers().wechat.requests.rejections).toEqual([]);
  });

  it("reopens a closed order, and a lost notice is made up for hours later", async () => {
    const { buyer, order_sn, info, notify } = await withOrder(engine);
    server.advanceClock(30 * 60);
    expect((await info()).status).toBe("closed");
    expect(await notify(transaction(order_sn, 11_000))).toEqual(accepted);
    expect((await info()).status).toBe("paid");
    const lost = await buyer.order();
    server.advanceClock(30 * 60);
    await server.runScheduler();
    servers().wechat.payments.set(lost, transaction(lost, 11_000));
    // As no page reads the order, the scheduler queries it every half an hour.
    const status = () => getStatus(server, lost);
    server.advanceClock(10 * 60);
    await server.runScheduler();
    expect(await status()).toBe("closed");
    server.advanceClock(21 * 60);
    await server.runScheduler();
    expect(await status()).toBe("paid");
  });

  it.each(["cancelled", "expired"])(
    "is found by a read of an order that is %s, within six hours and every 10 s at most",
    async (end) => {
      const { buyer, order_sn, info } = await withOrder(engine);
      const other = await buyer.order();
      if (end === "expired") server.advanceClock(30 * 60);
      for (const sn of [order_sn, other])
        await (end === "expired" ? buyer.info(sn) : buyer.call(contract.orderCancel, { order_sn: sn }));
      const { queries, closings } = servers().wechat.requests;
      const before = queries.length;
      // The scheduler's query comes first, as it closes the order at WeChat Pay too.
      server.advanceClock(10);
      expect([(await info()).status, queries.length]).toEqual(["closed", before]);
      // It is repeated after a minute if WeChat Pay does not respond.
      for (const down of [true, false]) {
        server.advanceClock(60);
        servers().wechat.behaviour.down = down;
        await server.runScheduler();
      }
      expect([closings.includes(order_sn), queries.length]).toEqual([true, before + 2]);
      for (const sn of [order_sn, other]) servers().wechat.payments.set(sn, transaction(sn, 11_000));
      expect([(await info()).status, queries.length]).toEqual(["closed", before + 2]);
      server.advanceClock(10);
      expect([(await info()).status, queries.length]).toEqual(["paid", before + 3]);
      server.advanceClock(6 * 3600);
      expect([(await buyer.info(other)).status, queries.length]).toEqual(["closed", before + 3]);
    },
  );

  it.each(["does not sign its responses", "is unreachable"])(
    "is not considered failed while WeChat Pay %s: the order closes later",
    async (fault) => {
      const { order_sn, info } = await withOrder(
        engine,
        fault === "is unreachable" ? { WECHAT_PAY_ORIGIN: "http://127.0.0.1:1" } : {},
      );
      servers().wechat.behaviour.unsigned = fault === "does not sign its responses";
      servers().wechat.payments.set(order_sn, transaction(order_sn, 11_000));
      server.advanceClock(30 * 60);
      await server.runScheduler();
      const open = await info();
      expect([open.status, open.actions.pay]).toEqual(["pending", false]);
      for (const wait of [5 * 60, 5 * 60 + 1]) {
        server.advanceClock(wait);
        await server.runScheduler();
      }
      expect((await info()).status).toBe("closed");
    },
  );
});

const elsewhere = { amount: { total: 11_000, currency: "USD" } };
const forged: [what: string, payment: object, forgery: Forgery, status: number][] = [
  ["signed by somebody else", {}, { stranger: true }, 401],
  ["signed with a key that we do not know", {}, { serial: "PUB_KEY_ID_0000000000000000" }, 401],
  ["six minutes old", {}, { clock: -360_000 }, 401],
  ["from six minutes ahead", {}, { clock: 360_000 }, 401],
  ["with a space more", {}, { body: (text) => `${text} ` }, 401],
  ["with another event", {}, { body: (text) => text.replace("TRANSACTION.SUCCESS", "TRANSACTION.SUCCES5") }, 401],
  ["without a body", {}, { body: () => "" }, 401],
  ...["wechatpay-signature", "wechatpay-timestamp", "wechatpay-nonce", "wechatpay-serial"].flatMap(
    (name): [string, object, Forgery, number][] => [
      [`without ${name}`, {}, { headers: ({ [name]: _, ...rest }) => rest }, 401],
      [`with another ${name}`, {}, { headers: (all) => ({ ...all, [name]: `1${all[name]}` }) }, 401],
      [`with an empty ${name}`, {}, { headers: (all) => ({ ...all, [name]: "" }) }, 401],
    ],
  ),
  ["with a signature for testing", {}, { headers: (all) => ({ ...all, "wechatpay-signature": "WECHATPAY/SIGNTEST/x" }) }, 401],
  ["sealed with another key", {}, { apiv3Key: "x".repeat(32) }, 400],
  ["over no money", { amount: { total: 0, currency: "CNY" } }, {}, 400],
  ["over less than no money", { amount: { total: -11_000, currency: "CNY" } }, {}, 400],
  ["over half a fen", { amount: { total: 11_000.5, currency: "CNY" } }, {}, 400],
  ["in another currency", elsewhere, {}, 400],
  ["to another app", { appid: "wxffffffffffffffff" }, {}, 400],
  ["to another merchant", { mchid: "1900000002" }, {}, 400],
  ["of a payment that failed", { trade_state: "PAYERROR" }, {}, 400],
  ["of a payment that is refunded", { trade_state: "REFUND" }, {}, 400],
  ["for what no order is called", { out_trade_no: "M2601 020304050000000A" }, {}, 400],
  ["without an order", { out_trade_no: undefined }, {}, 400],
  ["without a number of its own", { transaction_id: "" }, {}, 400],
];

describeOnEngines("a forged payment notice on %s", (engine) => {
  it(`is rejected in ${forged.length} variants and changes nothing`, async () => {
    const { order_sn, info, notify } = await withOrder(engine);
    const before = await server.db.select().from(orders);
    expect(forged.length).toBeGreaterThanOrEqual(30);
    for (const [what, payment, forgery, status] of forged) {
      const response = await notify(transaction(order_sn, 11_000, payment), forgery);
      expect({ what, ...response }).toEqual({ what, status, code: "FAIL" });
    }
    expect(await server.db.select().from(orders)).toEqual(before);
    expect(await server.db.select().from(payments)).toEqual([]);
    expect(await notify(transaction(order_sn, 11_000), { event: "COUPON.USE" })).toEqual(accepted);
    expect((await info()).status).toBe("pending");
    // A payment is no refund, whatever the event type.
    expect((await notify(transaction(order_sn, 11_000), { event: "REFUND.SUCCESS" })).status).toBe(400);
    expect(await notify(transaction(order_sn, 11_000))).toEqual(accepted);
    expect((await info()).status).toBe("paid");
  });

  it("is accepted without the signature check", async () => {
    const { order_sn, info, notify } = await withOrder(engine, {}, ["notice-signed"]);
    expect(await notify(transaction(order_sn, 11_000), { stranger: true })).toEqual(accepted);
    expect((await info()).status).toBe("paid");
  });
});

describeOnEngines("a WeChat pay code on %s", (engine) => {
  it("has a link for phones, with the order's number, where the shop has agreed on it with WeChat", async () => {
    const { buyer } = await servers().withBuyer(engine, { WECHAT_PHONE_LINK: "true", WECHAT_ENV_VERSION: "trial" });
    const order_sn = await buyer.order();
    const { link } = await buyer.payCode(order_sn);
    const url = new URL(link ?? "");
    expect([url.protocol, url.host, url.pathname]).toEqual(["weixin:", "dl", "/business/"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ appid: "wx0123456789abcdef", path: "pages/pay/pay", env_version: "trial" },
      query: `sn=${order_sn}`,
    });
    // The stored code has it, too.
    expect((await buyer.payCode(order_sn)).link).toBe(link);
  });

  it("is generated once, with one access token for all orders", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    const before = { tokens: servers().wechat.requests.tokens, codes: servers().wechat.requests.codes.length };
    const [code, other] = await Promise.all([buyer.payCode(order_sn), buyer.payCode(order_sn)]);
    expect(code).toMatchObject({ mode: "wxacode", order_sn, pay_fen: 11_000, link: null });
    expect(Buffer.from(code.image.split(",")[1] ?? "", "base64").toString()).toBe(`code of sn=${order_sn}`);
    expect(other).toEqual(code);
    expect(await buyer.payCode(order_sn)).toEqual(code);
    await buyer.payCode(await buyer.order());
    expect(servers().wechat.requests.tokens - before.tokens).toBe(1);
    expect(servers().wechat.requests.codes.length - before.codes).toBeLessThanOrEqual(3);
    expect(servers().wechat.requests.codes.at(-2)).toMatchObject({ scene: `sn=${order_sn}`, page: "pages/pay/pay" });
    server.advanceClock(2 * 3600);
    const late = await createBuyer(server);
    await late.payCode(await late.order());
    expect(servers().wechat.requests.tokens - before.tokens).toBe(2);
  });

  it("is generated with a new access token when the old one expires early", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    await buyer.payCode(order_sn);
    servers().wechat.behaviour.token = "another process has taken a new one";
    await buyer.payCode(await buyer.order());
  });

  it("is requested once more where WeChat is busy, like its access token", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    const errmsg = "system error rid: 63a1";
    servers().wechat.apiErrors.push({ path: "token", errcode: -1, errmsg }, { path: "code", errcode: -1, errmsg });
    expect((await buyer.payCode(order_sn)).mode).toBe("wxacode");
    servers().wechat.apiErrors.push({ path: "code", errcode: -1, errmsg }, { path: "code", errcode: -1, errmsg });
    expect(await buyer.sendPayCode(await buyer.order())).toMatchObject({ status: 200, code: 40003 });
    expect(vi.mocked(console.error).mock.calls.flat()).toContain(`No pay code: WeChat reports errcode -1 (${errmsg})`);
  });

  it.each([
    ["token", 40164, "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist rid: 63a1", "the IP whitelist"],
    ["token", 40125, "invalid appsecret rid: 63a1", "WECHAT_SECRET"],
    ["token", 40013, "invalid appid rid: 63a1", "WECHAT_APPID"],
    ["code", 41030, "invalid page rid: 63a1", "set WECHAT_ENV_VERSION to trial"],
    ["code", 45009, "reach max api daily quota limit rid: 63a1", ""],
    ["code", 47001, `data format error\u001b[2J ${"x".repeat(500)}`, ""],
  ] as const)(
    "is not there after WeChat's error of a %s, and the log has %s with its words and what to do",
    async (path, errcode, errmsg, advice) => {
      const { buyer, order_sn } = await withOrder(engine);
      vi.mocked(console.error).mockClear();
      servers().wechat.apiErrors.push({ path, errcode, errmsg });
      expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40003 });
      const words = errmsg.replace("\u001b", " ").slice(0, 300);
      const lines = vi.mocked(console.error).mock.calls.flat();
      expect(lines).toEqual([expect.stringMatching(/^No pay code: /)]);
      expect(lines[0]).toContain(`WeChat reports errcode ${errcode} (${words})`);
      expect(lines[0]).toContain(advice);
      expect((await buyer.payCode(order_sn)).mode).toBe("wxacode");
    },
  );

  it.each([
    ["release", {}],
    ["trial", { env_version: "trial", check_path: false }],
    ["develop", { env_version: "develop", check_path: false }],
  ])("opens the version of the mini program that WECHAT_ENV_VERSION names: %s", async (version, fields) => {
    const { buyer, order_sn } = await withOrder(engine, { WECHAT_ENV_VERSION: version });
    await buyer.payCode(order_sn);
    expect(servers().wechat.requests.codes.at(-1)).toEqual({
      scene: `sn=${order_sn}`,
      page: "pages/pay/pay",
      width: 430,
      ...fields,
    });
  });

  async function expectNoPayCode(env: Record<string, string>, hang = false): Promise<void> {
    const { buyer, order_sn } = await withOrder(engine, env);
    servers().wechat.behaviour.hang = hang;
    const began = performance.now();
    expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40003, data: null });
    expect(performance.now() - began).toBeLessThan(9_000);
    servers().wechat.behaviour.hang = false;
    expect((await buyer.info(order_sn)).status).toBe("pending");
  }

  it.each([
    ["refuses", { WECHAT_SECRET: "wrong" }],
    ["is unreachable", { WECHAT_API_ORIGIN: "http://127.0.0.1:1" }],
  ])("is not there while WeChat %s, and the call returns 40003", (_what, env) => expectNoPayCode(env));

  it("is not there while WeChat does not respond, and the call returns 40003", { tags: ["full"] }, () =>
    expectNoPayCode({}, true),
  );
});
