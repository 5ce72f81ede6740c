import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lockBuilds } from "#scripts/build.ts";
import { prepareSwap, swap } from "#scripts/swap.ts";
import { productPicturesFile } from "#src/build/files.ts";
import { writeFiles } from "#tests/support/content/site.ts";

describe("a site that is replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "swap-"));
  const dist = join(folder, "dist");
  const replaceBy = (name: string, ...chunks: string[]) => {
    const fresh = join(folder, name);
    writeFiles(fresh, { "build.json": name, ...Object.fromEntries(chunks.map((chunk) => [`_astro/${chunk}`, name])) });
    prepareSwap(fresh, dist);
    swap(fresh, dist);
    return readdirSync(join(dist, "_astro")).sort();
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it("keeps the code of the two builds before it, for pages that are still open", () => {
    expect(replaceBy("one", "page.1.js", "react.js")).toEqual(["page.1.js", "react.js"]);
    expect(replaceBy("two", "page.2.js", "react.js")).toEqual(["page.1.js", "page.2.js", "react.js"]);
    expect(replaceBy("text", "page.2.js", "react.js")).toEqual(["page.1.js", "page.2.js", "react.js"]);
    expect(replaceBy("three", "page.3.js", "react.js")).toHaveLength(4);
    expect(replaceBy("four", "page.4.js", "react.js")).toEqual(["page.2.js", "page.3.js", "page.4.js", "react.js"]);
    expect(readFileSync(join(dist, "_astro/page.2.js"), "utf8")).toBe("text");
    expect(readFileSync(join(dist, "build.json"), "utf8")).toBe("four");
  });

  it("keeps the pictures of items that the shop has no more, which past orders show, and none of a cover that was replaced", () => {
    const [photograph, other, poster] = ["/pictures/1a.m3/640.webp", "/pictures/2b.m3/640.webp", "/pictures/3c.g0.svg"];
    const replaceWith = (name: string, products: Record<string, string[]>) => {
      const urls = Object.values(products).flat();
      const pictures = urls.flatMap((url) => (url.endsWith(".webp") ? [url, url.replace("640", "320")] : [url]));
      const fresh = join(folder, name);
      writeFiles(fresh, {
        "build.json": name,
        [productPicturesFile]: JSON.stringify(products),
        ...Object.fromEntries(pictures.map((url) => [url.slice(1), name])),
      });
      prepareSwap(fresh, dist);
      swap(fresh, dist);
      return [photograph, photograph.replace("640", "320"), other, poster].map((url) => existsSync(join(dist, url)));
    };
    expect(replaceWith("six", { "goods/tee": [photograph], "package/regular": [poster] })).toEqual([true, true, false, true]);
    expect(replaceWith("seven", { "goods/tee": [other] })).toEqual([false, false, true, true]);
    expect(replaceWith("eight", {})).toEqual([false, false, true, true]);
    expect(replaceWith("nine", { "goods/tee": [photograph] })).toEqual([true, true, false, true]);
  });

  it("stays in its place when it cannot be renamed", () => {
    replaceBy("fixed");
    const fresh = join(folder, "fresh");
    // Something else has the name that it would get.
    writeFiles(fresh, { "build.json": "fresh" });
    writeFiles(`${fresh}-old`, { "build.json": "another" });
    expect(() => prepareSwap(fresh, dist)).toThrow(/ENOTEMPTY|EEXIST/);
    expect(readFileSync(join(dist, "build.json"), "utf8")).toBe("fixed");
    for (const name of [fresh, `${fresh}-old`]) rmSync(name, { recursive: true });
  });

  it("is built by one process at a time: the next one waits until the lock is free", async () => {
    const shop = { cache: join(folder, "cache") };
    const unlock = await lockBuilds(shop);
    const order: string[] = [];
    const second = lockBuilds(shop).then((unlockSecond) => {
      order.push("second");
      return unlockSecond;
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    order.push("first ends");
    unlock();
    (await second)();
    expect(order).toEqual(["first ends", "second"]);
    rmSync(shop.cache, { recursive: true });
  });

  it("stays in its place when another one cannot take it", () => {
    replaceBy("ten");
    expect(() => swap(join(folder, "missing"), dist)).toThrow("ENOENT");
    expect(readFileSync(join(dist, "build.json"), "utf8")).toBe("ten");
    expect(readdirSync(folder)).toEqual(["dist"]);
  });
});
