import { expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { findEntry, openCatalogue } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";

const [march, april] = ["2027-02-28T16:00:00.000Z", "2027-03-31T16:00:00.000Z"];
const shipAt =
  (ships_at: string | null) =>
  ({ goods }: Catalogue) =>
    Object.assign(findEntry(goods, "tote"), { ships_at });

describeOnEngines("ships_at of an item on %s", (engine) => {
  it("is planned and applied, and an order keeps the one that its item had when it was placed", async () => {
    const server = await createTestServer(engine);
    const { change } = await openCatalogue(server);
    const { call } = client(server);
    const buyer = await createBuyer(server);
    const read = async () => {
      const { info } = await call(contract.goodsInfo, { goods_uid: "tote" });
      const { list } = await call(contract.goodsLists);
      return [info.ships_at, list.find(({ goods_uid }) => goods_uid === "tote")?.ships_at];
    };
    const readOrder = async (sn: string) => (await buyer.info(sn)).items[0]?.ships_at;
    const before = await buyer.order();

    const sentence = "goods/tote ships_at: nothing → 2027-03-01T00:00+08:00";
    expect((await change("plan", shipAt(march))).text).toBe(sentence);
    expect(await read()).toEqual([undefined, undefined]);
    expect((await change("apply", shipAt(march))).text).toBe(sentence);
    expect((await change("plan", shipAt(march))).text).toBe("No differences.");
    expect(await read()).toEqual([march, march]);
    const first = await buyer.order();

    expect((await change("apply", shipAt(april))).text).toBe(
      "goods/tote ships_at: 2027-03-01T00:00+08:00 → 2027-04-01T00:00+08:00",
    );
    const second = await buyer.order();
    await change("apply", shipAt(null));
    expect(await read()).toEqual([undefined, undefined]);
    const last = await buyer.order();
    expect(await Promise.all([before, first, second, last].map(readOrder))).toEqual([undefined, march, april, undefined]);
    const { list } = await buyer.call(contract.mallOrderList, { page: 1, page_size: 50 });
    expect(list.find(({ order_sn }) => order_sn === first)?.items[0]?.ships_at).toBe(march);
  });
});
