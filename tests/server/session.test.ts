import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Locale } from "#i18n/locale.ts";
import { members } from "#server/db/schema/member.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, newMobile } from "#tests/support/processes/test-server.ts";

const day = 86_400;

describeOnEngines("login on %s", (engine) => {
  it("sends a code, accepts it once and opens a session", async () => {
    const server = await createTestServer(engine);
    const mobile = newMobile();
    const { call, send } = client(server);
    const sending = await send(contract.sendCode, { username: `\u202d＋86 ${mobile}\u202c` });
    expect(sending.data).toEqual({
      target: `${mobile.slice(0, 3)}****${mobile.slice(-4)}`,
      code_length: 6,
      expires_in: 300,
      resend_after: 60,
    });
    await server.waitForDelivery();
    const payload = { username: mobile, verification_code: server.sentMessages[0]?.code ?? "" };
    expect(server.sentMessages).toEqual([{ to: mobile, code: expect.stringMatching(/^\d{6}$/) }]);
    expect(sending.text).not.toContain(payload.verification_code);

    const spelt = { username: `86${mobile}`, verification_code: payload.verification_code.replace(/(?<=^...)/, "　") };
    const { token, info } = await call(contract.login, spelt, { locale: "zh-CN" });
    expect(info).toMatchObject({ nickname: `乐迷 ${mobile.slice(-4)}`, activated: true, account: null, membership: null });
    expect(await send(contract.login, payload)).toMatchObject({ status: 200, code: 20001 });

    expect((await call(contract.userInfo, undefined, { token, locale: "zh-CN" })).info).toEqual(info);
  });

  it("names a member in the requested language and activates it as configured", async () => {
    const server = await createTestServer(engine, { env: { ACTIVATE_NEW_MEMBERS: "false" } });
    const mobile = newMobile();
    const { call } = client(server);
    const { info } = await call(contract.userInfo, undefined, { token: await server.logIn(mobile, "en-US") });
    expect(info).toMatchObject({ nickname: `Member ${mobile.slice(-4)}`, activated: false });
    server.advanceClock(61);
    const token = await server.logIn(mobile, "zh-CN");
    expect((await call(contract.userInfo, undefined, { token })).info).toEqual(info);
    const inChinese = await call(contract.userInfo, undefined, { token, locale: "zh-CN" });
    expect(inChinese.info).toEqual({ ...info, nickname: `乐迷 ${mobile.slice(-4)}` });
    for (const [locale, nickname] of [["zh-CN", inChinese.info.nickname] as const, ["en-US", info.nickname] as const]) {
      const { list } = await call(contract.packageLists, undefined, { locale });
      // A member is not what a pass is called.
      expect(list.filter(({ title }) => title.includes(nickname.split(" ")[0] ?? ""))).toEqual([]);
    }
  });

  it("keeps the nickname of a member who registered under an earlier name, in both languages", async () => {
    const server = await createTestServer(engine);
    const mobile = newMobile();
    const token = await server.logIn(mobile);
    await server.db
      .update(members)
      .set({ nickname: `听众 ${mobile.slice(-4)}` })
      .where(eq(members.mobile, mobile));
    const read = async (locale: Locale) =>
      (await client(server).call(contract.userInfo, undefined, { token, locale })).info.nickname;
    expect([await read("zh-CN"), await read("en-US")]).toEqual([`听众 ${mobile.slice(-4)}`, `Listener ${mobile.slice(-4)}`]);
  });

  it("changes a nickname: trimmed, in composed form, 2 to 20 characters however many units they have, the member's own alone", async () => {
    const server = await createTestServer(engine);
    const [one, other] = [
      client(server, { token: await server.logIn(newMobile()) }),
      client(server, { token: await server.logIn(newMobile()) }),
    ];
    const [before, unchanged] = [await one.call(contract.userInfo), await other.call(contract.userInfo)];
    expect(before.info.actions).toEqual({ nickname: true });
    for (const [typed, nickname] of [
      ["小满", "小满"],
      ["  Émile  ", "Émile"],
      ["Lin\nXiaoman", "Lin Xiaoman"],
      ["🎹".repeat(20), "🎹".repeat(20)],
      ["أمينة", "أمينة"],
      ["<b>x</b>", "<b>x</b>"],
    ] as const) {
      const changed = await one.call(contract.userNickname, { nickname: typed });
      expect(changed.info).toEqual({ ...before.info, nickname });
      for (const locale of ["zh-CN", "en-US"] as const)
        expect(await one.call(contract.userInfo, undefined, { locale })).toEqual(changed);
    }
    for (const [nickname, reason] of [
      ["", "Needed"],
      ["\u3000", "Needed"],
      ["x", "Too short"],
      ["🎹", "Too short"],
      ["x".repeat(21), "Too long"],
      ["🎹".repeat(21), "Too long"],
      ["a\u0007b", "Cannot be written like this"],
      ["a\ud83ab", "Cannot be written like this"],
      [undefined, "Needed"],
      [null, "Needed"],
    ] as const)
      expect(await one.send(contract.userNickname, { nickname })).toMatchObject({
        code: 10002,
        data: { fields: { nickname: reason } },
      });
    expect(await client(server).error(contract.userNickname, { nickname: "小满" })).toBe(10001);
    expect((await one.call(contract.userInfo)).info.nickname).toBe("<b>x</b>");
    expect(await other.call(contract.userInfo)).toEqual(unchanged);
  });

  it("accepts one code for an account and its mobile number, without revealing the number", async () => {
    const server = await createTestServer(engine);
    const code = await server.requestCode("demo");
    expect(server.sentMessages[0]?.to).toBe("13800138000");
    const { call, send, error } = client(server);
    expect(await error(contract.sendCode, { username: "demo" })).toBe(10004);
    server.advanceClock(60);
    const second = await send(contract.sendCode, { username: "demo" });
    expect(second.data).toMatchObject({ target: "de****" });
    expect(second.text).not.toMatch(/138|8000/);
    await server.waitForDelivery();
    const old = await send(contract.login, { username: "demo", verification_code: code });
    expect(old.code).toBe(server.sentMessages[1]?.code === code ? 1 : 20001);
    const payload = { username: "13800138000", verification_code: server.sentMessages[1]?.code ?? "" };
    expect((await call(contract.login, payload)).info).toMatchObject({ account: "demo", nickname: "小满" });
  });

  it("rejects a code after five minutes", async () => {
    const server = await createTestServer(engine);
    const mobile = newMobile();
    const payload = { username: mobile, verification_code: await server.requestCode(mobile) };
    server.advanceClock(300);
    expect(await client(server).error(contract.login, payload)).toBe(20001);
  });

  it("compares at most five guesses per code, and rejects the right one afterwards", async () => {
    const server = await createTestServer(engine);
    const mobile = newMobile();
    const rightCode = await server.requestCode(mobile);
    const wrongCode = rightCode === "000000" ? "000001" : "000000";
    const submitCode = async (verification_code: string | undefined) =>
      (await client(server).send(contract.login, { username: mobile, verification_code })).code;
    for (let tried = 0; tried < 5; tried += 1) expect(await submitCode(wrongCode)).toBe(20001);
    expect(await submitCode(rightCode)).toBe(20003);
    server.advanceClock(300);
    expect(await submitCode(rightCode)).toBe(20001);
    expect(await submitCode(await server.requestCode(mobile))).toBe(1);
  });

  it("ends a session seven days after its last use and thirty days after login", async () => {
    const server = await createTestServer(engine);
    const [idle, busy] = [await server.logIn(newMobile()), await server.logIn(newMobile())];
    const code = async (token: string) => (await client(server, { token }).send(contract.userInfo)).code;
    for (let weeks = 1; weeks <= 4; weeks += 1) {
      server.advanceClock(7 * day - 1);
      expect(await code(busy)).toBe(1);
    }
    expect(await code(idle)).toBe(10001);
    server.advanceClock(2 * day - 56);
    expect(await code(busy)).toBe(1);
    server.advanceClock(61);
    expect(await code(busy)).toBe(10001);
    const another = await server.logIn(newMobile());
    server.advanceClock(7 * day);
    expect(await code(another)).toBe(10001);
  });

  it("keeps a member's ten newest sessions and ends older ones at login", async () => {
    const many = "1000";
    const server = await createTestServer(engine, {
      env: { CODES_PER_HOUR: many, CODES_PER_DAY: many, CODES_PER_HOUR_PER_IP: many },
    });
    const code = async (token: string) => (await client(server, { token }).send(contract.userInfo)).code;
    const [mobile, other] = [newMobile(), await server.logIn(newMobile())];
    const tokens: string[] = [];
    for (let times = 0; times < 10; times += 1) {
      server.advanceClock(60);
      tokens.push(await server.logIn(mobile));
    }
    expect(await Promise.all(tokens.map(code))).toEqual(Array(10).fill(1));
    // Using a session does not make it newer.
    for (let times = 0; times < 2; times += 1) {
      server.advanceClock(2 * 3600);
      expect(await code(tokens[0] ?? "")).toBe(times === 0 ? 1 : 10001);
      tokens.push(await server.logIn(mobile));
    }
    expect(await Promise.all(tokens.map(code))).toEqual([10001, 10001, ...Array(10).fill(1)]);
    expect(await code(other)).toBe(1);
  });

  it("ends one session at its log-out, and no other of the member", async () => {
    const server = await createTestServer(engine);
    const mobile = newMobile();
    const token = await server.logIn(mobile);
    server.advanceClock(61);
    const other = await server.logIn(mobile);
    const { call, error } = client(server, { token });
    expect(await call(contract.logout)).toEqual({});
    for (const row of [contract.userInfo, contract.logout]) expect(await error(row)).toBe(10001);
    expect(await client(server, { token: other }).call(contract.userInfo)).toBeDefined();
  });

  it.each(["", "x", "a".repeat(43), "ü".repeat(10), "' or 1=1 --", "a".repeat(4000)])(
    "refuses the token %j with 10001",
    async (token) => {
      const server = await createTestServer(engine);
      const headers = { token: encodeURIComponent(token) === token ? token : Buffer.from(token).toString("latin1") };
      const { send } = client(server, { headers });
      expect(await send(contract.userInfo)).toMatchObject({
        status: 200,
        code: 10001,
        msg: "Your session has ended. Log in again",
        data: null,
      });
      expect(await send(contract.goodsLists)).toMatchObject({ status: 200, code: 1 });
    },
  );
});
