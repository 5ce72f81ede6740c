import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { concertPlans } from "../../server/db/schema/member.ts";
import { contract } from "../../src/api/contract.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { createConcertMember } from "../support/stubs/concert-backend.ts";

describeOnEngines("the concert plan on %s", (engine) => {
  it("is each member's own, and stored once when joined 20 times at once", async () => {
    const server = await createTestServer(engine);
    const [{ call, plan }, other] = [await createConcertMember(server), await createConcertMember(server)];
    await Promise.all(Array.from({ length: 20 }, () => plan({ Id: 1001, IsPlan: true, MemberId: "someone" })));
    const { info } = await call(contract.userInfo);
    expect(await server.db.select().from(concertPlans).where(eq(concertPlans.memberId, info.id))).toHaveLength(1);
    expect([await plan({ Id: 1001 }), await other.plan({ Id: 1001 })]).toEqual([true, false]);
  });
});
