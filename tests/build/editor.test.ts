// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readShop } from "#src/content/read.ts";
import { getFacts, getText, type Shop } from "#src/content/shop.ts";
import { writePhotographs } from "#tests/fixtures/label/make-photographs.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { runScript, type Script } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

// Opens the editor in a browser, on a folder of the browser's own in place of one that a person picks. What it saves is read
// as a build reads it.
const folder = mkdtempSync(join(tmpdir(), "editor-"));
const before = join(folder, "label");
let script: Script;
let browser: Browser;
let page: Page;
let origin = "";

beforeAll(async () => {
  cpSync(join(root, "tests/fixtures/label"), before, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  await writePhotographs(before);
  script = runScript("scripts/editor.ts", { CONTENT_DIR: before, ENV_FILE: "" });
  await script.until("Editor: ");
  origin = /Editor: (\S+)/.exec(script.printed())?.[1] ?? "";
  browser = await launchBrowser();
  page = await openEditor("en-US");
  const names = readdirSync(before, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(before, name)).isFile(),
  );
  for (const name of names) await putFile(name, readFileSync(join(before, name)));
  await page.getByRole("button", { name: /local/i }).click();
  await page.getByRole("button", { name: "New" }).first().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await script?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the editor's page, without a network, in a browser with a language and an empty folder. */
async function openEditor(locale: string): Promise<Page> {
  const context = await browser.newContext({
    // The editor draws fields when they are in view.
    viewport: { width: 1400, height: 3000 },
    locale,
    timezoneId: "Europe/Berlin",
  });
  const opened = await context.newPage();
  await opened.route(/^https:/, (route) => route.abort());
  await opened.addInitScript(() => {
    const open = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("shop", { create: true });
    Object.assign(window, { showDirectoryPicker: open });
    for (const name of ["requestPermission", "queryPermission"])
      Object.defineProperty(FileSystemHandle.prototype, name, { value: async () => "granted", configurable: true });
  });
  await opened.goto(origin);
  return opened;
}

/** Writes a file into the browser's folder. */
async function putFile(name: string, content: Buffer, to = page): Promise<void> {
  await to.evaluate(
    async ([path, base64]) => {
      const shop = await (await navigator.storage.getDirectory()).getDirectoryHandle("shop", { create: true });
      await shop.getDirectoryHandle(".git", { create: true });
      const parts = path.split("/");
      const name = parts.pop() ?? "";
      let folder = shop;
      for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
      await stream.close();
    },
    [name, content.toString("base64")] as const,
  );
}

/** Copies the browser's folder to the disk, and reads it as a build does. */
async function readSaved(): Promise<{ shop: Shop | null; faults: string[] }> {
  const files = await page.evaluate(async () => {
    const files: Record<string, string> = {};
    const walk = async (folder: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
      for await (const [name, handle] of Reflect.get(folder, "entries").call(folder)) {
        if (handle.kind === "directory") await walk(handle, `${prefix}${name}/`);
        else {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
          let text = "";
          for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
          files[prefix + name] = btoa(text);
        }
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle("shop"), "");
    return files;
  });
  const after = join(folder, "saved");
  rmSync(after, { recursive: true, force: true });
  for (const [name, base64] of Object.entries(files)) {
    mkdirSync(dirname(join(after, name)), { recursive: true });
    writeFileSync(join(after, name), Buffer.from(base64, "base64"));
  }
  return readShop(after);
}

async function open(path: string): Promise<void> {
  await page.goto(`${origin}/#/collections/${path}`);
  await page.getByRole("button", { name: /^Save/ }).first().waitFor();
}

async function save(): Promise<void> {
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await page.getByText("Entry saved.").first().waitFor();
  await page.getByText("Entry saved.").first().waitFor({ state: "hidden" });
}

const getZhTitle = (entry: string) =>
  /^title: (.*)$/m.exec(readFileSync(join(before, entry, "index.zh-CN.md"), "utf8"))?.[1] ?? expect.fail();

const entries = ["event/tide", "goods/work-shirt", "package/balcony", "campaign/river-tour", "news/rehearsal"];

it("the editor saves entries and site.yaml as the build reads them, with nothing changed but what was edited", {
  timeout: 240_000,
}, async () => {
  const { shop: old } = await readShop(before);
  for (const entry of entries) {
    const [kind, id] = entry.split("/");
    await open(`${kind}/entries/${id}/index`);
    const title = page.getByRole("textbox").first();
    await title.fill(`${await title.inputValue()} 2`);
    await save();
  }
  await open("_singletons/entries/site");
  const title = page.getByRole("textbox").nth(1);
  await title.fill("江声唱片 2");
  await save();

  const { shop, faults } = await readSaved();
  expect(faults).toEqual([]);
  expect(shop?.site["zh-CN"]).toEqual({ ...old?.site["zh-CN"], title: "江声唱片 2" });
  expect(shop?.site["en-US"]).toEqual(old?.site["en-US"]);
  for (const entry of entries) {
    const [kind, id] = entry.split("/");
    const find = (from: Shop | null) => from?.[kind as "news"].find((one) => one.id === id) ?? expect.fail();
    const [was, is] = [find(old), find(shop)];
    const { title, cover } = getText(was, "zh-CN").data;
    // A poster, or the address of a picture, does not change with the title of an entry that has a cover.
    expect(getText(is, "zh-CN").data).toEqual({ ...getText(was, "zh-CN").data, title: `${title} 2`, cover, draft: false });
    expect(getText(is, "en-US").data).toEqual({ ...getText(was, "en-US").data, draft: false });
    expect(getText(is, "en-US").body.trim()).toBe(getText(was, "en-US").body.trim());
  }
});

it("a time is edited as the hour in China, wherever the browser is, and the build reads it", { timeout: 60_000 }, async () => {
  await open("event/entries/fog/index");
  const starts = page.locator('input[type="datetime-local"]').first();
  expect(await starts.inputValue()).toBe("2036-11-20T20:00");
  await starts.fill("2036-11-20T20:30");
  await save();
  const { shop, faults } = await readSaved();
  expect(faults).toEqual([]);
  const fog = shop?.event.find(({ id }) => id === "fog") ?? expect.fail();
  expect(getFacts(fog).starts_at.toISOString()).toBe("2036-11-20T12:30:00.000Z");
});

it("an entry that is created with an uploaded picture, and a picture that only decorates, are what the build reads", async () => {
  await page.goto(`${origin}/#/collections/news/new`);
  const [zh, en] = ["Chinese (China)", "English (US)"].map((language) =>
    page.getByRole("group", { name: new RegExp(`^Edit .?${language.replace(/[()]/g, "\\$&")}`) }),
  ) as [Locator, Locator];
  await zh.getByRole("textbox", { name: "title" }).fill("开箱");
  await zh.getByRole("textbox", { name: "summary" }).fill("新的一箱。");
  await zh.locator('input[type="date"]').first().fill("2026-11-02");
  await zh.getByRole("radio", { name: "notice" }).click();
  await en.getByRole("textbox", { name: "title" }).fill("Unboxing");
  await en.getByRole("textbox", { name: "summary" }).fill("A new box.");
  await page.getByRole("textbox", { name: "Slug" }).fill("unboxing");
  const browse = zh.getByRole("button", { name: "Browse" });
  const add = zh.getByRole("checkbox", { name: /Add .?cover/ });
  // On a busy machine the editor draws the box before it listens to it, and the fields long after the box was pressed.
  await vi.waitFor(async () => {
    if (!(await add.isChecked())) await add.click();
    await browse.waitFor({ timeout: 5_000 });
  }, 90_000);
  await browse.click();
  const dialog = page.getByRole("dialog", { name: "Select Image" });
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    dialog.getByRole("button", { name: "Upload" }).click(),
  ]);
  await chooser.setFiles(join(before, "news/rehearsal/tape.jpg"));
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "hidden" });
  await save();
  // Saving once more keeps what is empty.
  await open("news/entries/unboxing/index");
  await zh.getByRole("textbox", { name: "title" }).fill("开箱了");
  await save();

  const { shop, faults } = await readSaved();
  expect(faults).toEqual([]);
  const created = shop?.news.find(({ id }) => id === "unboxing") ?? expect.fail();
  const cover = { width: 240, height: 2400, alt: "" };
  expect(getText(created, "zh-CN").data).toMatchObject({ title: "开箱了", kind: "notice", cover });
  expect(getText(created, "en-US").data).toMatchObject({ title: "Unboxing", cover });
});

it("the editor speaks the language of the browser, draws its icons and lists the entries without a network", async () => {
  const opened = await openEditor("zh-CN");
  const messages: string[] = [];
  opened.on("console", (message) => messages.push(message.text()));
  await opened.reload();
  for (const name of ["site.yaml", "news/rehearsal/index.zh-CN.md"])
    await putFile(name, readFileSync(join(before, name)), opened);
  await opened.getByRole("button", { name: /本地/ }).click();
  await opened.goto(`${origin}/#/collections/news`);
  await opened.getByText(getZhTitle("news/rehearsal")).first().waitFor();
  const listFonts = () => [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
  await vi.waitFor(async () => expect(await opened.evaluate(listFonts)).toContain("Material Symbols Outlined"), 10_000);
  expect(messages.filter((text) => /(locales|font).*Content Security Policy/.test(text))).toEqual([]);
  await opened.context().close();
});
