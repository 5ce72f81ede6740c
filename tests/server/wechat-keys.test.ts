import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { ConfigError, readConfig } from "#server/config/config.ts";
import { orders } from "#server/db/schema/order.ts";
import { readWechatSettings } from "#server/payment/wechat/settings.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { prepareWechatServers, type WechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import type { TestServer } from "#tests/support/processes/test-server.ts";
import { changeToPublicKey, ids, renewCertificate, type Signing, signAlwaysBy } from "#tests/support/stubs/wechat/keys.ts";
import { transaction } from "#tests/support/stubs/wechat/transaction.ts";

const day = 24 * 3600;
const accepted = { status: 200, code: "SUCCESS" };
const servers = prepareWechatServers();
const getStatus = async (server: TestServer, orderSn: string) =>
  (await server.db.select().from(orders).where(eq(orders.orderSn, orderSn)))[0]?.status;
const readyz = async (server: TestServer) => (await server.request("/readyz")).data;
const logged = () => vi.mocked(console.error).mock.calls.flat().join("\n");

describeOnEngines("a change of WeChat Pay's keys on %s", (engine) => {
  /** Pays one order by repeats of a notice and one by a query, refunds that, and returns how they end. */
  async function trade(stage: Signing, { server, post }: Awaited<ReturnType<WechatServers["withBuyer"]>>) {
    const { wechat } = servers();
    Object.assign(wechat.signing, stage);
    const buyer = await createBuyer(server);
    const [noticed, queried] = [await buyer.order(), await buyer.order()];
    const payment = servers().pay(noticed);
    for (let times = 0; times < 4; times += 1) expect(await post(wechat.notice(payment))).toEqual(accepted);
    servers().pay(queried);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    const paid = await getStatus(server, queried);
    expect(await server.runOrdersCommand("refund", queried)).toContain("is on its way");
    expect(await post(wechat.refundNotice(`${queried}R1`, "SUCCESS"))).toEqual(accepted);
    return [await getStatus(server, noticed), paid, (await buyer.info(queried)).close_reason];
  }

  const [publicKey, former, next] = [ids.publicKey, ids.certificate, ids.nextCertificate];
  const change = (share: number) => changeToPublicKey(former, publicKey, share);
  const renew = (share: number) => renewCertificate(former, next, share);
  const stopped = signAlwaysBy(former);

  it.each<[change: string, keys: Parameters<WechatServers["wechat"]["withKeys"]>, stages: Signing[]]>([
    [
      "from a platform certificate to the public key",
      ["publicKey", "certificate"],
      [signAlwaysBy(former), change(0.001), change(0.05), change(0.5), change(1), signAlwaysBy(publicKey)],
    ],
    ["stopped half-way", ["publicKey", "certificate"], [change(0.2), change(0.5), stopped]],
    ["stopped half-way, where requests name the certificate", ["certificate", "publicKey"], [change(0.5), stopped]],
    [
      "from one platform certificate to the next",
      ["nextCertificate", "certificate"],
      [signAlwaysBy(former), renew(0.001), renew(0.5), renew(1), signAlwaysBy(next)],
    ],
  ])("loses nothing %s", async (_change, keys, stages) => {
    const { wechat } = servers();
    const shop = await servers().withBuyer(engine, wechat.withKeys(...keys));
    for (const stage of stages) {
      expect(await trade(stage, shop)).toEqual(["paid", "paid", "refunded"]);
      shop.server.advanceClock(day);
    }
    expect([...new Set(wechat.requests.serials)]).toEqual([ids[keys[0] ?? "merchant"]]);
    expect(await readyz(shop.server)).toMatchObject({ payment: "ok" });
    expect(await shop.server.runOrdersCommand("list", "--state", "unclear")).toBe("No orders.");
    expect(logged()).toBe("");
  });

  it("accepts notices that are encrypted with the new or the old APIv3 key, and no others", async () => {
    const [newer, older, foreign] = ["n".repeat(32), servers().wechat.env.WECHAT_APIV3_KEY, "f".repeat(32)];
    const { buyer, post } = await servers().withBuyer(engine, { WECHAT_APIV3_KEY: `${newer}, ${older}` });
    for (const [apiv3Key, status] of [
      [newer, "paid"],
      [older, "paid"],
      [foreign, "pending"],
    ] as const) {
      const order_sn = await buyer.order();
      const { status: answer } = await post(servers().wechat.notice(transaction(order_sn, 11_000), { apiv3Key }));
      expect([answer, (await buyer.info(order_sn)).status]).toEqual([status === "paid" ? 200 : 400, status]);
    }
  });
});

/** Returns what stops the start; null when nothing does. */
function findConfigFault(env: Record<string, string>): string | null {
  try {
    readWechatSettings(readConfig({ ...servers().wechat.env, ...env }));
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

type Keys = WechatServers["wechat"]["payKeys"];
const pair = (id: string, file: string) => ({ WECHAT_PAY_KEY_ID: id, WECHAT_PAY_KEY_FILE: file });

describe("the keys of WeChat Pay", () => {
  it.each<[what: string, env: (keys: Keys) => Record<string, string>]>([
    ["one public key", () => ({})],
    ["a public key and a certificate", () => servers().wechat.withKeys("publicKey", "certificate")],
    ["two certificates and a public key", () => servers().wechat.withKeys("nextCertificate", "certificate", "publicKey")],
    ["lists with blanks", ({ publicKey: a, certificate: b }) => pair(`${a.id} , ${b.id}`, `${a.file}, ${b.file}`)],
    ["a serial in lower case", ({ certificate: { id, file } }) => pair(id.toLowerCase(), file)],
    ["a serial without its leading zero", ({ nextCertificate: { id, file } }) => pair(id.slice(1), file)],
    ["a serial with more zeros", ({ certificate: { id, file } }) => pair(`00${id}`, file)],
    ["the public key of a certificate by its serial", ({ certificate, publicKey }) => pair(certificate.id, publicKey.file)],
    ["a file whose name has a comma", ({ publicKey: { id } }) => pair(id, copyKey("publicKey", "a,b.pem"))],
    [
      "a certificate with text before it",
      ({ certificate: { id } }) => pair(id, copyKey("certificate", "text.pem", "Bag Attributes\n")),
    ],
    ["an APIv3 key that has a comma", () => ({ WECHAT_APIV3_KEY: `${"x".repeat(15)},${"y".repeat(16)}` })],
    ["three APIv3 keys", () => ({ WECHAT_APIV3_KEY: ["a", "b", "c"].map((key) => key.repeat(32)).join(",") })],
  ])("may be %s", (_what, env) => {
    expect(findConfigFault(env(servers().wechat.payKeys))).toBeNull();
  });

  const other = (id: string, serial: string) =>
    new RegExp(`^WECHAT_PAY_KEY_ID has ${id}, but the certificate in .* has the serial number ${serial}\\.$`);
  const merchants = /^WECHAT_PAY_KEY_FILE has the merchant's own certificate or key for \w+ \(.*\): it must have WeChat Pay's/;
  const asMany = /^WECHAT_PAY_KEY_FILE must name one file for each id in WECHAT_PAY_KEY_ID, in the same order: /;
  const unreadable = (id: string) =>
    `WECHAT_PAY_KEY_FILE must name a readable PEM file with an RSA key for ${id} in WECHAT_PAY_KEY_ID.`;

  it.each<[what: string, env: (keys: Keys) => Record<string, string>, message: (keys: Keys) => RegExp | string]>([
    [
      "a certificate of another serial",
      ({ certificate, nextCertificate }) => pair(certificate.id, nextCertificate.file),
      ({ certificate, nextCertificate }) => other(certificate.id, nextCertificate.id),
    ],
    [
      "a certificate under the id of the public key",
      ({ publicKey, certificate }) => pair(publicKey.id, certificate.file),
      ({ publicKey, certificate }) => other(publicKey.id, certificate.id),
    ],
    [
      "files in another order than the ids",
      ({ publicKey: a, certificate: b }) => pair(`${a.id},${b.id}`, `${b.file},${a.file}`),
      ({ publicKey, certificate }) => other(publicKey.id, certificate.id),
    ],
    ["the merchant's own certificate", ({ merchant }) => pair(merchant.id, merchant.file), () => merchants],
    [
      "the merchant's certificate under WeChat Pay's id",
      ({ publicKey, merchant }) => pair(publicKey.id, merchant.file),
      () => merchants,
    ],
    [
      "the merchant's private key",
      ({ publicKey }) => pair(publicKey.id, servers().wechat.env.WECHAT_MERCHANT_KEY_FILE),
      () => merchants,
    ],
    [
      "the merchant's serial, in lower case",
      ({ merchant, publicKey }) => pair(merchant.id.toLowerCase(), publicKey.file),
      () => merchants,
    ],
    [
      "the merchant's certificate as the second key",
      ({ publicKey: a, merchant: b }) => pair(`${a.id},${b.id}`, `${a.file},${b.file}`),
      () => merchants,
    ],
    ["two ids for one file", ({ publicKey: a, certificate: b }) => pair(`${a.id},${b.id}`, a.file), () => asMany],
    [
      "two ids for three files",
      ({ publicKey: a, certificate: b }) => pair(`${a.id},${b.id}`, `${a.file},${b.file},c`),
      () => asMany,
    ],
    [
      "the same id twice, in either case",
      ({ certificate: { id, file } }) => pair(`${id},${id.toLowerCase()}`, `${file},${file}`),
      () => asMany,
    ],
    [
      "two files for one id",
      ({ publicKey: a, certificate: b }) => pair(a.id, `${a.file},${b.file}`),
      ({ publicKey }) => unreadable(publicKey.id),
    ],
    [
      "a second file that is not there",
      ({ publicKey: a, certificate: b }) => pair(`${a.id},${b.id}`, `${a.file},/no.pem`),
      ({ certificate }) => unreadable(certificate.id),
    ],
    [
      "an elliptic curve",
      ({ publicKey: { id } }) => pair(id, servers().wechat.file("ec.pem", ellipticKey())),
      ({ publicKey }) => unreadable(publicKey.id),
    ],
    [
      "a damaged certificate",
      ({ certificate: { id } }) => pair(id, copyKey("certificate", "cut.pem", "", 400)),
      ({ certificate }) => unreadable(certificate.id),
    ],
  ])("stop the start with one sentence where they are %s", (_what, env, message) => {
    const { payKeys } = servers().wechat;
    const expected = message(payKeys);
    expect(findConfigFault(env(payKeys))).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  });
});

/** Copies the file of a key, with text before it, up to a length. */
function copyKey(key: keyof Keys, name: string, before = "", length?: number): string {
  return servers().wechat.file(name, before + readFileSync(servers().wechat.payKeys[key].file, "utf8").slice(0, length));
}

function ellipticKey(): string {
  return String(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }));
}
