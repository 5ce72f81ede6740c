// @module-tag full

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, expect, it } from "vitest";
import { findShop } from "#scripts/shop-paths.ts";
import { readShop } from "#src/content/read.ts";
import { readTemplate } from "#src/content/templates.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { runToEnd } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

// Runs the commands of a shop's author, from a folder of their own. Each test continues from the previous one.
const caller = mkdtempSync(join(tmpdir(), "author-"));
const shop = join(caller, "label");
afterAll(() => {
  rmSync(caller, { recursive: true, force: true });
  for (const name of readdirSync(join(root, ".shops")).filter((name) => name.startsWith("label-"))) {
    const cache = join(root, ".shops", name);
    if (!existsSync(join(cache, "data"))) rmSync(cache, { recursive: true, force: true });
  }
});

async function run(script: string, args: string[], CONTENT_DIR = "label", SITE_DIR = "") {
  const { exitCode, all } = await runToEnd(script, args, { INIT_CWD: caller, CONTENT_DIR, SITE_DIR, ENV_FILE: "" });
  return { status: exitCode, printed: all };
}

it("npm run new -- shop writes a shop without faults and with a repository, into a folder relative to the caller", async () => {
  const { status, printed } = await run("new", ["shop", "label"], "");
  expect(status).toBe(0);
  expect(printed).toContain(`export CONTENT_DIR="${shop}"\nStart it:  npm start\n`);
  expect(existsSync(join(shop, ".git"))).toBe(true);
  expect((await readShop(shop)).faults).toEqual([]);
  expect((await run("new", ["shop", "label"], "")).status).toBe(1);
});

it.each([
  ["the project", root],
  ["a new shop", shop],
])("Git checks out the files of %s with Unix line ends where it is set to those of Windows", async (_, folder) => {
  const clone = mkdtempSync(join(tmpdir(), "entrance-line-ends-"));
  const git = (...args: string[]) => execa("git", ["-c", "core.autocrlf=true", ...args], { cwd: clone });
  cpSync(join(folder, ".gitattributes"), join(clone, ".gitattributes"));
  writeFileSync(join(clone, "site.yaml"), "name: Label\n");
  await git("init", "--quiet");
  await git("add", "--all");
  rmSync(join(clone, "site.yaml"));
  await git("checkout", "--quiet", "--", ".");
  expect(readFileSync(join(clone, "site.yaml"), "utf8")).toBe("name: Label\n");
  rmSync(clone, { recursive: true });
});

it.each(["news", "event", "item", "pass", "tour"])("npm run new -- %s writes valid files in both languages", async (name) => {
  expect((await run("new", [name, `first-${name}`])).status).toBe(0);
  const result = await readShop(shop);
  expect(result.faults).toEqual([]);
});

it("npm run new -- event writes the texts into a folder that holds only pictures", async () => {
  const folder = join(shop, "event/with-picture");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "cover.svg"), readTemplate("mark.svg"));
  expect((await run("new", ["event", "with-picture"])).status).toBe(0);
  expect(readdirSync(folder)).toEqual(["cover.svg", "index.en-US.md", "index.zh-CN.md"]);
  expect((await readShop(shop)).faults).toEqual([]);
  expect((await run("new", ["event", "with-picture"])).status).toBe(1);
  rmSync(folder, { recursive: true });
});

it("what npm run new writes is on sale as it is", async () => {
  const { shop: read } = await readShop(shop);
  const now = new Date();
  const { goods, packages, activities, campaigns } = toCatalogue(read ?? expect.fail(), now);
  for (const { on_sale, opens_at } of [...activities, ...campaigns]) {
    expect(on_sale).toBe(true);
    expect(Date.parse(opens_at)).toBeLessThan(now.getTime());
  }
  expect([goods, packages, activities, campaigns].map(([entry]) => entry?.uid)).toEqual([
    "first-item",
    "first-pass",
    "first-event",
    "first-tour",
  ]);
  expect([goods[0]?.on_sale, packages[0]?.on_sale]).toEqual([true, true]);
});

it("npm run check:content advises on each entry that is as npm run new has written it, until its words and price are others", async () => {
  const findAdvice = async () =>
    (await run("catalogue", ["check"])).printed?.split("\n").filter((line) => line.includes("as npm run new")) ?? [];
  const paths = ["event/first-event", "news/first-news", "goods/first-item", "package/first-pass", "campaign/first-tour"];
  const found = await findAdvice();
  for (const path of paths)
    for (const locale of ["zh-CN", "en-US"])
      expect(found).toContainEqual(
        expect.stringMatching(`^Advice: ${path}/index.${locale}.md: title, .* as npm run new wrote`),
      );
  expect(found).toContainEqual(
    expect.stringMatching(/^Advice: goods\/first-item\/index.zh-CN.md: title, summary, price, text /),
  );
  expect(found).toContainEqual(expect.stringMatching(/^Advice: campaign\/first-tour\/index.en-US.md: title, summary, stops, /));
  expect(found).toContainEqual(expect.stringMatching(/^Advice: site.yaml: zh-CN, title, brand, /));
  const item = join(shop, "goods/first-item/index.zh-CN.md");
  const before = readFileSync(item, "utf8");
  const own = before
    .replace("一件商品", "黑胶")
    .replace("一句话，卡片上用。", "十二首。")
    .replace("写写它是什么做的，多大。", "黑色。");
  writeFileSync(item, own);
  const onPrice =
    "Advice: goods/first-item/index.zh-CN.md: price and stock are 100 and 10, as npm run new wrote them: are they yours?";
  expect(await findAdvice()).toContain(onPrice);
  writeFileSync(item, own.replace("stock: 10", "stock: 30"));
  expect((await findAdvice()).filter((line) => line.includes("goods/first-item/index.zh-CN.md"))).toEqual([]);
  writeFileSync(item, own.replace("price: 100", "price: 26800"));
  expect((await run("catalogue", ["check"])).printed).toContain("goods/first-item/index.zh-CN.md: price: is ¥26,800: is that");
  writeFileSync(item, before);
});

it("SITE_DIR may be missing, empty or a built site, but no folder with other files, which a build would delete", async () => {
  const sites = join(caller, "sites");
  for (const file of ["built/build.json", "older/.hosting/shop", "photos/one.jpg"]) {
    mkdirSync(join(sites, dirname(file)), { recursive: true });
    writeFileSync(join(sites, file), "");
  }
  mkdirSync(join(sites, "empty"));
  for (const name of ["missing", "empty", "built", "older"])
    expect(findShop({ SITE_DIR: join(sites, name) }).dist).toBe(join(sites, name));
  for (const folder of [root, join(sites, "photos"), join(sites, "photos/one.jpg")]) {
    const { status, printed } = await run("catalogue", ["check"], "label", folder);
    expect([status, printed]).toEqual([1, expect.stringContaining(`SITE_DIR: ${folder} holds files`)]);
  }
});

it("npm run check:content names a show in the past that the site does not have yet", async () => {
  const text = `---
title: 去年
summary: 一句话。
starts_at: 2020-03-20T19:30+08:00
doors_at: 2020-03-20T18:30+08:00
ends_at: 2020-03-20T22:00+08:00
venue: 仓库
city: 成都
line_up: [乐队]
---
`;
  const [folder, site] = [join(shop, "event/last-year"), join(caller, "site")];
  mkdirSync(folder);
  writeFileSync(join(folder, "index.zh-CN.md"), text);
  const check = async () => (await run("catalogue", ["check"], "label", site)).printed?.includes("starts_at: is 2020-03-20");
  expect(await check()).toBe(false);
  mkdirSync(join(site, "event"), { recursive: true });
  writeFileSync(join(site, "build.json"), "{}");
  expect(await check()).toBe(true);
  writeFileSync(join(site, "event/last-year.html"), "");
  expect(await check()).toBe(false);
  rmSync(folder, { recursive: true });
});

it.each([
  [["news", "First_Item"], "small letters, digits and dashes"],
  [["news", "first-news"], "exists"],
  [["record", "x"], "npm run new"],
])("npm run new -- %j is refused", async (args, reason) => {
  const { status, printed } = await run("new", args);
  expect({ status, printed }).toEqual({ status: 1, printed: expect.stringContaining(reason) });
});

it("npm run new without CONTENT_DIR writes nothing into the demo, and prints the commands for either shop", async () => {
  const { status, printed } = await run("new", ["event", "nowhere-yet"], "");
  expect(status).toBe(1);
  expect(printed).toContain("CONTENT_DIR is not set: event/nowhere-yet would be written into the demo");
  expect(printed).toContain("CONTENT_DIR=../my-label npm run new -- event nowhere-yet\n");
  expect(printed).toContain("CONTENT_DIR=src/content npm run new -- event nowhere-yet");
  expect(existsSync(join(root, "src/content/event/nowhere-yet"))).toBe(false);
});

it("npm run check:content prints every fault, of raw HTML with its line, and ends with status 1; without a fault, with 0", async () => {
  expect(await run("catalogue", ["check"])).toMatchObject({ status: 0, printed: expect.stringContaining("No fault") });
  const item = join(shop, "goods/first-item/index.zh-CN.md");
  const news = join(shop, "news/first-news/index.en-US.md");
  const event = join(shop, "event/first-event/index.zh-CN.md");
  const before = [item, news, event].map((file) => readFileSync(file, "utf8"));
  writeFileSync(item, String(before[0]).replace("price: 100", "price: -1"));
  writeFileSync(news, String(before[1]).replace("title:", "titel:"));
  writeFileSync(event, `${before[2]}\n看 <iframe src='/user/info'></iframe>\n`);
  const { status, printed } = await run("catalogue", ["check"]);
  expect(status).toBe(1);
  expect(printed).toContain("goods/first-item/index.zh-CN.md: price: must be");
  expect(printed).toContain("news/first-news/index.en-US.md: titel: there is no such field");
  const line = String(before[2]).split("\n").length + 1;
  expect(printed).toContain(`event/first-event/index.zh-CN.md:${line}: <iframe>`);
  expect(printed).toMatch(/\d faults in /);
  for (const [index, file] of [item, news, event].entries()) writeFileSync(file, String(before[index]));
});

it("CONTENT_DIR of a folder that is not there is an error that says how to make one", async () => {
  const { status, printed } = await run("catalogue", ["check"], "nowhere");
  expect({ status, printed }).toEqual({ status: 1, printed: expect.stringContaining("npm run new -- shop") });
});
