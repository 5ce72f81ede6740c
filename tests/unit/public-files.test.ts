import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "#scripts/fingerprint.ts";
import { copyFiles, describeShop } from "#scripts/shop-paths.ts";
import { listPublicFiles } from "#src/content/public-files.ts";
import { readShop } from "#src/content/read.ts";
import { shopFiles, writeShopFiles } from "#tests/support/content/shop-files.ts";

const findFaults = async (changes: Parameters<typeof writeShopFiles>[0]) => (await readShop(writeShopFiles(changes))).faults;

describe("a shop's public files", () => {
  it.each([
    ["index.html", "is the address of a page"],
    ["mall.html", "is the address of a page"],
    ["Mall.HTML", "is the address of a page"],
    ["mall/index.html", "is the address of a page"],
    ["mall.html/menu.pdf", "is the address of a page"],
    ["news", "is the address of a page"],
    ["news/knobs.html", "is the address of a page"],
    ["event/lantern", "is the address of a page"],
    ["en-US.html", "is the address of a page"],
    ["zh-cn/news.html", "is the address of a page"],
    ["404.html", "is the address of a page"],
    ["en-US/503.html", "is the address of a page"],
    ["user", "is the address of a page"],
    ["about", "is the address of a page"],
    ["mall/order", "is the address of a page"],
    [".hosting/nginx.conf", "is a name that the build gives to a file of its own"],
    ["_astro/a.js", "is a name that the build gives to a file of its own"],
    ["_Astro/a.js", "is a name that the build gives to a file of its own"],
    ["_headers", "is a name that the build gives to a file of its own"],
    ["sw.js", "is a name that the build gives to a file of its own"],
    ["build.json", "is a name that the build gives to a file of its own"],
    ["robots.txt", "is a name that the build gives to a file of its own"],
    ["favicon.ico", "is a name that the build gives to a file of its own"],
    ["sitemap-0.xml", "is a name that the build gives to a file of its own"],
    ["en-US.webmanifest", "is a name that the build gives to a file of its own"],
    ["calendar/x.ics", "is a name that the build gives to a file of its own"],
    ["pictures/a.png", "is a name that the build gives to a file of its own"],
    ["v1/x", "is an address of the server"],
    ["docs/a.pdf", "is an address of the server"],
    ["menu.txt.br", "has the ending of compressed copies"],
    ['a"b.txt', "has a character that no address carries"],
  ])("are refused under the name %s", async (name, reason) => {
    expect(await findFaults({ [`public/${name}`]: "x" })).toEqual([
      `public/${name}: ${reason}${reason.includes("compressed") ? ", which the build makes" : ""}: give it another name, such as: public/files/${name.split("/").at(-1)}`,
    ]);
  });

  it("may have any other name", async () => {
    const names = [
      ...["MP_verify_1a2b.txt", "google1a2b.html", "BingSiteAuth.xml", ".well-known/apple-app-site-association", ".x/y"],
      ...["files/index.html", "news/menu.pdf", "event/poster.jpg", "mall/order/terms.pdf", "菜单 1.pdf", "newsletter"],
      ...[".DS_Store", "files/index.zh-CN.md", "errors/404.html"],
    ];
    expect(await findFaults(Object.fromEntries(names.map((name) => [`public/${name}`, "x"])))).toEqual([]);
  });

  it("are refused as links, and as a file in place of the folder", async () => {
    const folder = writeShopFiles({ "public/a.txt": "a" });
    symlinkSync("/etc/hosts", join(folder, "public/hosts"));
    symlinkSync("/etc", join(folder, "public/etc"));
    const link = "is a link: put the file itself there";
    expect((await readShop(folder)).faults.sort()).toEqual([`public/etc: ${link}`, `public/hosts: ${link}`]);
    expect(await findFaults({ public: "x" })).toEqual([expect.stringMatching(/^public: must be a folder, /)]);
  });

  it("are what texts may show and lead to", async () => {
    const event = "event/lantern/index.zh-CN.md";
    const text = `${shopFiles[event]}\n![厅](/files/hall%201.jpg)\n\n[节目单](/files/menu.pdf?a=1#p2)\n\n[安全](/.well-known/security.txt)\n`;
    const files = { "public/files/hall 1.jpg": "x", "public/files/menu.pdf": "x" };
    expect(await findFaults({ [event]: text, ...files })).toEqual([]);
    expect(await findFaults({ [event]: text })).toEqual([
      expect.stringContaining("the picture /files/hall%201.jpg is not there"),
      expect.stringContaining("the link /files/menu.pdf?a=1#p2 leads to no page"),
    ]);
    // A folder is no file.
    expect(await findFaults({ [event]: text.replace("/menu.pdf?a=1#p2", ""), ...files })).toHaveLength(1);
  });

  it("change the fingerprint of a build, and are in the copy that is published, with those whose names begin with a dot", {
    timeout: 60_000,
  }, async () => {
    const folder = writeShopFiles({ "public/.well-known/x.txt": "1" });
    const shop = { ...describeShop(folder), cache: writeShopFiles({}) };
    const read = () => fingerprint(folder, "", 0);
    const first = await read();
    expect(await read()).toBe(first);
    writeFileSync(join(folder, "public/.well-known/x.txt"), "2");
    const second = await read();
    mkdirSync(join(folder, "public/.x"));
    writeFileSync(join(folder, "public/.x/y"), "");
    expect(new Set([first, second, await read()]).size).toBe(3);
    expect(listPublicFiles(join(copyFiles(shop).folder, "public"))).toEqual([".well-known/x.txt", ".x/y"]);
  });
});
