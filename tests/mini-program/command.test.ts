// @module-tag full

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runToEnd } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

// Each test continues from the previous one.
const caller = mkdtempSync(join(tmpdir(), "mini-program-command-"));
afterAll(() => rmSync(caller, { recursive: true, force: true }));

const needed = ["build", "--origin", "https://shop.example", "--appid", "wx0123456789abcdef"];
async function run(...args: string[]) {
  const env = { INIT_CWD: caller, ENV_FILE: "", CONTENT_DIR: join(root, "src/content") };
  const { exitCode, all } = await runToEnd("mini-program", args, env);
  return { status: exitCode, printed: all };
}
const read = (...path: string[]) => readFileSync(join(caller, ...path), "utf8");
const readJson = (...path: string[]) => JSON.parse(read(...path));

it("writes what WeChat's tools open, into a folder relative to the caller, and prints what to do next", async () => {
  const { status, printed } = await run(...needed, "--out", "wechat");
  expect(status).toBe(0);
  expect(printed).toContain(`into ${join(caller, "wechat")}\n`);
  expect(printed).toContain("request domain https://shop.example\n");
  expect(printed).toContain("WECHAT_PAGE=pages/pay/pay");
  const app = readJson("wechat/app.json");
  for (const page of app.pages)
    for (const type of ["js", "json", "wxml", "wxss"]) expect(existsSync(join(caller, "wechat", `${page}.${type}`))).toBe(true);
  expect(app.window.navigationBarTitleText).toBe("社交新体验");
  expect(readJson("wechat/project.config.json")).toMatchObject({
    appid: "wx0123456789abcdef",
    projectname: encodeURIComponent("社交新体验"),
  });
  expect(readJson("wechat", app.sitemapLocation).rules).toEqual([{ action: "disallow", page: "*" }]);
  const { light, dark } = readJson("wechat", app.themeLocation);
  for (const name of JSON.stringify(app).match(/(?<="@)\w+/g) ?? [])
    expect([light, dark]).toMatchObject([{ [name]: /./ }, { [name]: /./ }]);
  const code = read("wechat/pages/pay/pay.js");
  expect(code).toContain("https://shop.example");
  expect(code).not.toMatch(/\bORIGIN\b|\brequire\(|\bimport\b|\?\?|\?\./);
});

it("the style sheets name no color that the command does not write", async () => {
  const names = [...read("wechat/pages/pay/pay.wxss").matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(read("wechat/app.wxss").split(`${name}:`)).toHaveLength(3);
});

it("writes again into its own folder, with another name", async () => {
  writeFileSync(join(caller, "wechat/project.private.config.json"), "{}");
  expect((await run(...needed, "--out", "wechat", "--name", "夜市")).status).toBe(0);
  expect(readJson("wechat/app.json").window.navigationBarTitleText).toBe("夜市");
  expect(readdirSync(join(caller, "wechat"))).toContain("project.private.config.json");
});

it.each([
  [
    "an origin that is not https",
    ["--origin", "http://shop.example"],
    "--origin: http://shop.example must be the https address",
  ],
  ["an origin with a path", ["--origin", "https://shop.example/shop"], "--origin: https://shop.example/shop must be"],
  ["an origin that is none", ["--origin", "shop.example"], "--origin: shop.example must be"],
  ["an appid of another kind", ["--appid", "wx0123456789ABCDEF"], "--appid: wx0123456789ABCDEF must be wx and 16"],
  ["a folder of others", ["--out", "others"], "has files that this command did not write: name another folder with --out."],
])("refuses %s with one sentence, and writes nothing", async (_, args, sentence) => {
  mkdirSync(join(caller, "others"), { recursive: true });
  writeFileSync(join(caller, "others/notes.txt"), "mine");
  const { status, printed } = await run(...needed, "--out", "refused", ...args);
  expect(status).toBe(1);
  expect(printed).toContain(sentence);
  expect(printed.split("\n")).toHaveLength(1);
  expect(existsSync(join(caller, "refused"))).toBe(false);
  expect(readdirSync(join(caller, "others"))).toEqual(["notes.txt"]);
});

it.each([[[]], [["build"]], [["publish"]], [[...needed, "--colour", "red"]]])(
  "prints its usage for the arguments %o",
  async (args) => {
    const { status, printed } = await run(...args);
    expect(status).toBe(1);
    expect(printed).toMatch(/^npm run mini-program -- build --origin /);
  },
);

/** WeChat publishes its compilers for these processors alone. */
const canCompile = process.arch === "x64";

it.skipIf(!canCompile)("WeChat's own compilers accept markup and styles, and find what is wrong in others", () => {
  const require = createRequire(createRequire(import.meta.url).resolve("miniprogram-simulate"));
  const { wxmlToJs, wxssToJs } = require("miniprogram-compiler");
  const folder = join(caller, "wechat");
  expect(wxmlToJs(folder)).toContain("ariaLive");
  expect(wxssToJs(folder)).toContain("safe-area-inset-bottom");
  const broken = join(caller, "broken/pages/pay");
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, "pay.wxml"), '<view wx:if="{{a}}"><text></view>');
  expect(() => wxmlToJs(join(caller, "broken"))).toThrow();
});
