import { expect, it } from "vitest";
import { readShop } from "../../src/content/read.ts";
import { toCatalogue } from "../../src/content/to-catalogue.ts";
import { shopFiles, writeShopFiles } from "../support/content/shop-files.ts";

it("a pass without a limit of its own has 3 where there is a stock, and none otherwise", async () => {
  const file = shopFiles["package/regular/index.zh-CN.md"] ?? "";
  const facts = { a: "", b: "stock: 5", c: "stock: 5\nlimit: 1", d: "limit: 2" };
  const files = Object.entries(facts).map(([id, lines], position) => [
    `package/${id}/index.zh-CN.md`,
    file.replace("price:", `position: ${position}\n${lines}\nprice:`),
  ]);
  const { shop, faults } = await readShop(
    writeShopFiles({ ...Object.fromEntries(files), "package/regular/index.zh-CN.md": null }),
  );
  if (!shop) throw new Error(faults.join("\n"));
  const limits = toCatalogue(shop, new Date()).packages.map(({ stock, limit }) => [stock, limit]);
  expect(limits).toEqual([
    [null, null],
    [5, 3],
    [5, 1],
    [null, 2],
  ]);
});
