import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { members } from "../../server/db/schema/member.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, newMobile } from "../support/processes/test-server.ts";

const ok = (text: unknown) => ({ status: 0, text });
const refused = (text: unknown) => ({ status: 1, text });
const tour = { campaign: "spring", stop: "wuhan", name: "李测", party_size: 1, note: "" };

describeOnEngines("a member's move to another number on %s", (engine) => {
  it("takes everything along and ends the sessions; the old number belongs to nobody", async () => {
    const server = await createTestServer(engine);
    const [mobile, number] = [newMobile(), newMobile()];
    const buyer = await createBuyer(server, mobile);
    const own = { name: "李测", mobile, region_code: "440305", detail: "科技路 1 号", is_default: true };
    const address_id = (await buyer.call(contract.addressAdd, own)).list[0]?.address_id;
    const [sn, pass] = [await buyer.buy({ address_id }), await buyer.buyPackage()];
    await buyer.call(contract.makeBooking, { ...tour, mobile });
    server.advanceClock(60);
    const oldCode = await server.requestCode(mobile, { from: "192.0.2.51" });
    const newCode = await server.requestCode(number, { from: "192.0.2.52" });

    const { nickname } = (await buyer.call(contract.userInfo)).info;
    expect(nickname).toContain(mobile.slice(-4));
    const typed = [`+86 ${mobile.slice(0, 3)} ${mobile.slice(3)}`, number, "--why", "new card"];
    expect(await server.runCommand("members", "move", ...typed)).toEqual(
      ok(
        [
          `${nickname} has the number ${number} now, not ${mobile}. 1 session is ended.`,
          `It replaces ${mobile} in 2 addresses and bookings.`,
          `${sn} is still sent with ${mobile}: npm run orders -- address ${sn} --mobile ${number}`,
        ].join("\n"),
      ),
    );
    expect(await buyer.error(contract.userInfo)).toBe(10001);
    // Codes that were sent before the move open no session.
    const { error } = client(server);
    for (const [username, verification_code] of [
      [mobile, oldCode],
      [number, newCode],
    ])
      expect(await error(contract.login, { username, verification_code })).toBe(20001);

    server.advanceClock(60);
    const moved = client(server, { token: await server.logIn(number) });
    const { info } = await moved.call(contract.userInfo);
    expect(info).toMatchObject({ id: buyer.memberId, membership: { package_uid: "listener" } });
    expect(info.nickname).toBe(nickname.replace(mobile.slice(-4), number.slice(-4)));
    expect((await moved.call(contract.addressLists)).list[0]?.mobile).toBe(number);
    expect((await moved.call(contract.bookingInfo)).booking?.mobile).toBe(number);
    expect((await moved.call(contract.packageOrderInfo, { order_sn: pass })).info.status).toBe("paid");

    const next = await createBuyer(server, mobile);
    expect(next.memberId).not.toBe(buyer.memberId);
    expect((await next.call(contract.mallOrderList, { page: 1, page_size: 9 })).total).toBe(0);
    expect(await next.error(contract.mallOrderInfo, { order_sn: sn })).toBe(10003);
    expect((await next.call(contract.userInfo)).info.membership).toBeNull();
    for (const text of [mobile, number])
      expect((await server.runCommand("audit", "list", text)).text).toMatch(
        new RegExp(`^\\S+  tester  members move  \\S+  before: ${mobile}  after: ${number}  why: new card$`),
      );
  });

  it("is refused with a sentence for a number that belongs to a member, is none or is the same", async () => {
    const server = await createTestServer(engine);
    const [buyer, other] = [await createBuyer(server), await createBuyer(server)];
    const move = (...args: string[]) => server.runCommand("members", "move", ...args);
    expect(await move(buyer.mobile, other.mobile)).toEqual(
      refused(
        `${other.mobile} belongs to another member: nothing was changed. npm run members -- find ${other.mobile} shows whom, and end ${other.mobile} frees the number.`,
      ),
    );
    expect(await move(buyer.mobile, buyer.mobile)).toEqual(
      refused(`${buyer.mobile} is the number that the member has: nothing was changed.`),
    );
    expect(await move("13900000000", newMobile())).toEqual(refused("There is no member with that mobile number."));
    for (const number of ["1390000000", "139000000000", "12900000000", "+852 91234567", "demo", "02112345678"])
      expect(await move(buyer.mobile, number)).toEqual(
        refused(expect.stringMatching(/ is no mainland mobile number: 11 digits, with or without \+86\.$/)),
      );
    for (const args of [[], [buyer.mobile], [buyer.mobile, newMobile(), "x"]])
      expect((await move(...args)).text).toMatch(/^npm run members -- find/);
    for (const { memberId, mobile, call } of [buyer, other]) {
      expect((await call(contract.userInfo)).info.id).toBe(memberId);
      const [row] = await server.db.select().from(members).where(eq(members.id, memberId));
      expect(row?.mobile).toBe(mobile);
    }
    expect((await server.runCommand("audit", "list")).text).toBe("There are no entries.");
  });

  it("keeps the account, whose codes go to the new number, and a nickname of the member's own", async () => {
    const server = await createTestServer(engine);
    const number = newMobile();
    expect((await server.runCommand("members", "move", "13800138000", number)).text).toMatch(
      new RegExp(`^小满 has the number ${number} now, not 13800138000\\. 0 sessions are ended\\.$`),
    );
    await server.requestCode("demo");
    expect(server.sentMessages.at(-1)?.to).toBe(number);
    expect((await server.runCommand("members", "find", "demo")).text).toMatch(`${number}  小满  account demo  activated`);
  });
});
