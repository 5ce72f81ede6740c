import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { concertPlans } from "../../server/db/schema/member.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { createConcertMember } from "../support/stubs/concert-backend.ts";

describeOnEngines("the concert plan on %s", (engine) => {
  it("returns two tokens to a member, different from each other and from other members' tokens", async () => {
    const server = await createTestServer(engine);
    const [one, other] = [await createConcertMember(server), await createConcertMember(server)];
    const data = one.tokens;
    expect(data.app_response_code).toBe(1);
    const all = [data.app_user_token, data.chat_token, other.tokens.app_user_token, other.tokens.chat_token, one.token];
    expect(new Set(all).size).toBe(5);
    expect(await one.call(contract.userToken)).toEqual(data);
  });

  it("joins and leaves the plan, and a repeated request changes nothing", async () => {
    const server = await createTestServer(engine);
    const { plan } = await createConcertMember(server);
    expect(await plan({ Id: 1001 })).toBe(false);
    for (const IsPlan of [true, true, false, false, true]) {
      expect(await plan({ Id: 1001, IsPlan })).toBe(IsPlan);
      expect(await plan({ Id: 1001 })).toBe(IsPlan);
    }
    expect(await plan({ Id: 1001, IsPlan: true, MemberId: "someone" })).toBe(true);
    const other = await createConcertMember(server);
    expect(await other.plan({ Id: 1001 })).toBe(false);
  });

  it("stores one row when a member joins 20 times at once", async () => {
    const server = await createTestServer(engine);
    const { call, plan } = await createConcertMember(server);
    await Promise.all(Array.from({ length: 20 }, () => plan({ Id: 1001, IsPlan: true })));
    const { info } = await call(contract.userInfo);
    expect(await server.db.select().from(concertPlans).where(eq(concertPlans.memberId, info.id))).toHaveLength(1);
  });

  it("returns 10003 to a visitor for an unknown plan id, and 10002 for an invalid one", async () => {
    const server = await createTestServer(engine);
    const { send } = client(server);
    const code = async (id: unknown) => (await send(contract.getPlan, { id })).code;
    expect(await code(1001)).toBe(1);
    for (const id of [1002, 0, -1, 2 ** 31, 2 ** 40, -(2 ** 53) + 1]) expect(await code(id)).toBe(10003);
    for (const id of ["1001", 1001.5, null, [1001], 2 ** 60, undefined]) expect(await code(id)).toBe(10002);
  });

  it.each([
    [{ Id: "1001", IsPlan: true }, 10002, "request_data.Id"],
    [{ IsPlan: true }, 10002, "request_data.Id"],
    [{ Id: 1001.5, IsPlan: true }, 10002, "request_data.Id"],
    [{ Id: 1001 }, 10002, "request_data.IsPlan"],
    [{ Id: 1001, IsPlan: 1 }, 10002, "request_data.IsPlan"],
    [{ Id: 1001, IsPlan: "true" }, 10002, "request_data.IsPlan"],
    [{ Id: 1002, IsPlan: true }, 10003, null],
    [{ Id: 2 ** 40, IsPlan: true }, 10003, null],
  ])("refuses the request data %j with %d", async (request_data, code, field) => {
    const { forwardCall } = await createConcertMember(await createTestServer(engine));
    const response = await forwardCall({ request_url: "/api/concert/setplan", request_data });
    const data = field ? { fields: { [field]: expect.any(String) } } : null;
    expect({ code: response.code, data: response.data }).toEqual({ code, data });
  });
});
