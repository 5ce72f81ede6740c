import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, stops } from "#server/db/schema/booking.ts";
import { goods, packages, shops, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { contract } from "#src/api/contract.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { expectLedger, findEntry, openCatalogue, setStock, writeJson } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

type Change = (catalogue: Catalogue) => void;
describeOnEngines("npm run catalogue on %s", (engine) => {
  async function open() {
    const server = await createTestServer(engine);
    return { server, ...(await openCatalogue(server)), ...client(server) };
  }

  const run = (server: TestServer, verb: string, catalogue: object) =>
    server.runCommand("catalogue", verb, writeJson(catalogue));

  it("finds no differences after an application", async () => {
    const { change } = await open();
    for (const verb of ["compare", "plan"] as const)
      expect(await change(verb, () => {})).toEqual({ status: 0, text: "No differences." });
  });

  it("plans each difference without changing anything, and applies it", async () => {
    const { change, call } = await open();
    const edit: Change = ({ goods: items, packages, activities, shop }) => {
      const tee = findEntry(items, "tee");
      tee.title["en-US"] = "The tee";
      findEntry(tee.skus, "tee-s").pay_fen = 19_800;
      shop.postage.fen = 800;
      tee.skus.reverse();
      const [xl, l] = tee.skus;
      if (xl && l) [xl.values, l.values] = [l.values, xl.values];
      findEntry(packages, "listener").stock = 5;
      findEntry(packages, "all-access").stock = null;
      Object.assign(findEntry(activities, "entrance"), { ends_at: "2030-01-01T12:00:00Z", places: 1300 });
    };
    const sentences = [
      "site postage, fee: 12.00 → 8.00",
      'goods/tee title (en-US): "12.9W tee" → "The tee"',
      "goods/tee skus: s, m, l, xl → xl, l, m, s",
      "goods/tee skus s, price: 188.00 → 198.00",
      ...Array(4).fill(expect.stringMatching(/^goods\/tee skus x?l, values 1 \((zh-CN|en-US)\): "X?L" → "X?L"$/)),
      "package/listener stock: unlimited → limited",
      "package/all-access stock: limited → unlimited",
      expect.stringMatching(/^event\/entrance ends_at: \d{4}-\d\d-\d\dT\d\d:\d\d\+08:00 → 2030-01-01T20:00\+08:00$/),
      "event/entrance booking, places: 1200 → 1300",
    ];
    expect((await change("compare", edit)).status).toBe(1);
    expect((await change("plan", edit)).text.split("\n")).toEqual(sentences);
    const read = async () => {
      const { info, postage } = await call(contract.goodsInfo, { goods_uid: "tee" }, { locale: "en-US" });
      const { list } = await call(contract.packageLists);
      return [info.title, info.skus.map(({ pay_fen }) => pay_fen), postage.fen, list.map(({ stock }) => stock)];
    };
    expect(await read()).toEqual(["12.9W tee", [18_800, 18_800, 18_800, 18_800], 1200, [null, null, 500]]);
    expect((await change("apply", edit)).text.split("\n")).toEqual(sentences);
    expect(await read()).toEqual(["The tee", [18_800, 18_800, 18_800, 19_800], 800, [5, null, null]]);
  });

  it("takes what is gone off sale, keeps its orders, and puts it back on sale when it returns", async () => {
    const { server, change, call } = await open();
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    const withdraw: Change = (catalogue) => {
      catalogue.goods = catalogue.goods.filter(({ uid }) => uid !== "tote");
      const tee = findEntry(catalogue.goods, "tee");
      tee.skus = tee.skus.filter(({ uid }) => uid !== "tee-s");
    };
    expect((await change("apply", withdraw)).text).toContain("goods/tote is no longer in the files: it goes off sale");
    const { list } = await call(contract.goodsLists);
    expect(list.map(({ goods_uid }) => goods_uid)).not.toContain("tote");
    expect(list.find(({ goods_uid }) => goods_uid === "tee")?.skus.map(({ sku_uid }) => sku_uid)).not.toContain("tee-s");
    expect(await buyer.sendOrder()).toMatchObject({ code: 30004 });
    expect((await buyer.sendOrder({ goods_uid: "tee", sku_uid: "tee-s", expected_pay_fen: 20_000 })).code).toBe(30004);
    expect(await buyer.pay(order_sn).then(() => buyer.info(order_sn))).toMatchObject({ status: "paid" });
    await change("apply", () => {});
    expect((await buyer.sendOrder()).code).toBe(1);
  });

  it("never touches stock, sold and booked of what is there", async () => {
    const { server, change } = await open();
    await setStock(server.db, "skus", "tote", 7);
    const { text } = await change("plan", (catalogue) => {
      findEntry(findEntry(catalogue.goods, "tote").skus, "tote").stock = 500;
      Object.assign(findEntry(catalogue.goods, "tee").skus[0] ?? {}, { stock: 0 });
    });
    const line = /: stock: (\d+) changes nothing, (\d+) are left: npm run stock -- (\S+) (\S+) --why /g;
    expect(Array.from(text.matchAll(line), ([, ...parts]) => parts.join(" "))).toEqual(["0 60 tee-s -60", "500 7 tote +493"]);
    expect(text).toMatch(/^No differences\.\nAdvice: goods\/tee, SKU tee-s: stock: .*\nAdvice: goods\/tote: stock: /);
    await change("apply", (catalogue) => {
      findEntry(findEntry(catalogue.goods, "tote").skus, "tote").stock = 500;
      findEntry(catalogue.goods, "tote").title["zh-CN"] = "新名字";
      findEntry(catalogue.activities, "entrance").places = 1300;
      findEntry(catalogue.packages, "all-access").stock = 900;
      findEntry(catalogue.packages, "all-access").title["zh-CN"] = "新名字";
      for (const stop of findEntry(catalogue.campaigns, "spring").stops) stop.places += 7;
    });
    const [pass] = await server.db.select().from(packages).where(eq(packages.uid, "all-access"));
    const [stop] = await server.db.select().from(stops).where(eq(stops.stop, "wuhan"));
    expect([pass?.stock, stop?.taken]).toEqual([500, 48]);
    const [tote] = await server.db.select().from(skus).where(eq(skus.uid, "tote"));
    const [item] = await server.db.select().from(goods).where(eq(goods.uid, "tote"));
    const [show] = await server.db.select().from(activities).where(eq(activities.uid, "entrance"));
    expect([tote?.stock, item?.sold, show?.booked, show?.capacity]).toEqual([7, 518, 341, 1300]);
  });

  it("records the stock that it sets, and nothing else: what differs from the movements stays visible", async () => {
    const { server, change } = await open();
    const findMoved = async (uid: string) =>
      (await server.db.select().from(stockMovements).where(eq(stockMovements.uid, uid))).map(({ quantity }) => quantity);
    const drift = (stock: number) => server.db.update(packages).set({ stock }).where(eq(packages.uid, "all-access"));
    await drift(499);
    const edit: Change = ({ packages }) => {
      findEntry(packages, "all-access").title["en-US"] = "All of it";
      findEntry(packages, "listener").stock = 5;
    };
    for (const verb of ["apply", "plan", "apply"] as const) await change(verb, edit);
    expect([await findMoved("all-access"), await findMoved("listener")]).toEqual([[500], [5]]);
    await expect(expectLedger(server.db)).rejects.toThrow("stocks that differ");
    await drift(500);
    await change("apply", ({ packages }) => {
      findEntry(packages, "all-access").stock = null;
    });
    expect([await findMoved("all-access"), await findMoved("listener")]).toEqual([
      [500, -500],
      [5, -5],
    ]);
    await change("apply", () => {});
    expect(await findMoved("all-access")).toEqual([500, -500, 500]);
  });

  it("refuses fewer places than are booked, and changes nothing", async () => {
    const { change } = await open();
    expect(
      await change("apply", (catalogue) => {
        findEntry(catalogue.goods, "tee").title["zh-CN"] = "不会保存";
        findEntry(catalogue.activities, "entrance").places = 300;
      }),
    ).toEqual({ status: 1, text: "event/entrance: places is 300, but 341 are booked: nothing was changed." });
    const stop = await change("apply", ({ campaigns: [tour] }) => {
      for (const one of tour?.stops ?? []) one.places = 79;
    });
    expect(stop.text).toBe("campaign/spring: places of the stop qingdao is 79, but 80 are booked: nothing was changed.");
    expect((await change("plan", () => {})).text).toBe("No differences.");
  });

  it("refuses the catalogue of another shop by name, and a database without one that holds other goods", async () => {
    const { server, change } = await open();
    const other: Change = (catalogue) => {
      catalogue.shop.uid = "river";
      catalogue.goods = catalogue.goods.map((item) => ({ ...item, uid: `river-${item.uid}`, skus: [] }));
    };
    const refused = await change("apply", (catalogue) => {
      catalogue.shop.uid = "river";
    });
    expect(refused).toMatchObject({ status: 1, text: expect.stringMatching(/the shop "entrance".*those of "river"/) });
    expect((await change("plan", other)).status).toBe(1);
    await server.db.delete(shops);
    const apply = (keep: number) =>
      change("apply", (catalogue) => {
        Object.assign(catalogue, { packages: [], activities: [], campaigns: [], shop: { ...catalogue.shop, uid: "river" } });
        catalogue.goods = catalogue.goods.slice(0, keep + 1);
        for (const item of catalogue.goods.slice(keep)) item.uid = "river-lp";
      });
    // One common uid says nothing: two shops may both sell "vinyl".
    for (const [keep, names] of [
      [0, "lack 20 of its entries (goods/vinyl, goods/tee, goods/light, …)"],
      [1, "lack 19 of its entries (goods/tee, goods/light, goods/tote, …)"],
    ] as const)
      expect(await apply(keep)).toMatchObject({ status: 1, text: expect.stringContaining(`files of "river" ${names}`) });
    const lack = await change("apply", (catalogue) => {
      catalogue.goods = catalogue.goods.filter(({ uid }) => uid !== "tote");
    });
    expect(lack).toMatchObject({
      status: 1,
      text: expect.stringMatching(/lack 1 .*\(goods\/tote\).*write the files that are missing/),
    });
    // A database from before shops had names is taken over.
    expect((await change("apply", () => {})).text).toBe("the database becomes that of the shop entrance");
  });

  it("renames what has an alias, with its orders, bookings and memberships", async () => {
    const { server, change } = await open();
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    await buyer.buyPackage();
    // An item may have the uid of a pass.
    const addItem: Change = ({ goods: items }) => {
      const { skus, ...tote } = findEntry(items, "tote");
      items.push({ ...tote, uid: "listener", skus: skus.map((sku) => ({ ...sku, uid: "listener" })) });
    };
    await change("apply", addItem);
    const order_of_item = await buyer.order({ goods_uid: "listener", sku_uid: "listener" });
    const rename: Change = (catalogue) => {
      addItem(catalogue);
      Object.assign(findEntry(catalogue.goods, "tote"), { uid: "bag", aliases: ["tote"] });
      for (const sku of findEntry(catalogue.goods, "bag").skus) sku.uid = "bag";
      Object.assign(findEntry(catalogue.activities, "echo"), { uid: "echo-map", aliases: ["echo"] });
      Object.assign(findEntry(catalogue.packages, "listener"), { uid: "first", aliases: ["listener"] });
      Object.assign(findEntry(catalogue.campaigns, "spring"), { uid: "spring-27", aliases: ["spring"] });
    };
    expect((await change("apply", rename)).text.split("\n")).toEqual([
      "tote is now bag",
      "listener is now first",
      "echo is now echo-map",
      "spring is now spring-27",
    ]);
    expect((await buyer.info(order_sn)).items[0]).toMatchObject({ uid: "bag", sku_uid: "bag" });
    expect((await buyer.info(order_of_item)).items[0]).toMatchObject({ uid: "listener", sku_uid: "listener" });
    const { list } = await buyer.call(contract.activityInfo);
    expect(list.find(({ activity_uid }) => activity_uid === "echo-map")).toMatchObject({ my_status: "booked", booked: 127 });
    expect((await buyer.call(contract.userInfo)).info.membership?.package_uid).toBe("first");
    expect((await change("plan", rename)).text).toBe("No differences.");
  });

  it("refuses a document that is not valid, naming the field", async () => {
    const { server, catalogue, change } = await open();
    const broken = await change("apply", ({ goods: [item] }) => {
      const [sku] = item?.skus ?? [];
      if (sku) sku.pay_fen = 0;
    });
    expect(broken).toMatchObject({ status: 1, text: expect.stringContaining("goods.0.skus.0.pay_fen") });
    expect(await run(server, "apply", { ...catalogue, goods: undefined })).toMatchObject({ status: 1 });
    expect(await server.runCommand("catalogue", "apply", "/no/such/file")).toMatchObject({ status: 1 });
    expect((await change("plan", () => {})).text).toBe("No differences.");
  });

  it("takes stock, sold and booked from --figures for what is new, and refuses a file that is not valid", async () => {
    const { server, catalogue } = await open();
    const fresh = structuredClone(catalogue);
    const tote = findEntry(fresh.goods, "tote");
    fresh.goods.push({ ...tote, uid: "bag", aliases: [], skus: tote.skus.map((sku) => ({ ...sku, uid: "bag" })) });
    // A pass may have the uid of an item, and has a stock of its own.
    fresh.packages.push({ ...findEntry(fresh.packages, "all-access"), uid: "bag", aliases: [] });
    const figures = { stock: { "sku/bag": 3, "package/bag": 7, "sku/tote": 1 }, sold: { bag: 40 }, booked: {} };
    const apply = (from: object) => server.runCommand("catalogue", "apply", writeJson(fresh), "--figures", writeJson(from));
    expect((await apply({ ...figures, stock: { "sku/bag": -3 } })).text).toContain("stock.sku/bag");
    expect(await apply(figures)).toMatchObject({ status: 0 });
    const stored = JSON.parse((await server.runCommand("catalogue", "figures")).text);
    expect(stored).toMatchObject({ stock: { "sku/bag": 3, "package/bag": 7, "sku/tote": 240 }, sold: { bag: 40 } });
  });
});
