// @module-tag full
import { readFileSync, rmSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getLocale, prefixes } from "#i18n/locale.ts";
import { error } from "#i18n/page.ts";
import { failureStatuses, refusalStatuses } from "#src/routes.ts";
import { launchBrowser } from "#tests/support/client/launch.ts";
import { builtFiles, dist, serveFixture } from "#tests/support/content/site.ts";

// Serves the built error pages with the site server.
const fixtureFiles = builtFiles().filter((file) =>
  /^((zh-CN|en-US)\/)?([45]\d\d|news)\.html$|\.js$|^build\.json$|headers\.json$/.test(file),
);
let site: Awaited<ReturnType<typeof serveFixture>>;
let browser: Browser;
beforeAll(async () => {
  const files = Object.fromEntries(
    fixtureFiles.map((file) => [file.replace(/news\.html$/, "gone.html"), readFileSync(join(dist, file), "utf8")]),
  );
  site = await serveFixture(files);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site.close();
});

const cases = prefixes.flatMap((prefix) => [...refusalStatuses, ...failureStatuses].map((status) => [prefix, status] as const));

/** Returns what a page shows, what screen readers read out of it, and its title. */
async function readError(path: string, javaScriptEnabled = true): Promise<{ text: string; read: string; title: string }> {
  const page = await browser.newPage({ javaScriptEnabled });
  await page.goto(site.origin + path);
  // innerText omits hidden text.
  const text = (await page.locator("main").allInnerTexts()).join(" ").replace(/\s+/g, " ");
  const [read, title] = [await page.locator("main").ariaSnapshot(), await page.title()];
  await page.close();
  return { text, read, title };
}

describe("a built error page", () => {
  it.each(cases)(
    "under prefix %j shows and reads out the status %i, its message and an explanation",
    async (prefix, status) => {
      const t = error[getLocale(prefix)];
      const { text, read, title } = await readError(`${prefix}/${status}`);
      expect(read).toContain(`- paragraph: ${status} ${t[`status${status}`]}\n`);
      expect(title).toMatch(new RegExp(`^${status} ${t[`status${status}`]} \\| `));
      expect(text).toContain(`${status} ${t[`status${status}`]}`);
      if (prefix === "/en-US") expect(t[`status${status}`]).toBe(STATUS_CODES[status]);
      expect(text).toContain(t[`heading${status}`]);
      expect(text).toContain(t[`body${status}`]);
      expect(text).not.toMatch(/REQUEST_ID/);
      expect((await site.request(`${prefix}/${status}`)).status).toBe(status);
    },
  );

  it.each(prefixes)("under prefix %j shows the request id of its response", async (prefix) => {
    // A page that no other links to: what the browser has fetched before is kept.
    const file = `${prefix}/gone`.slice(1);
    // The server has read the build; then the page is deleted.
    expect((await site.request(`${prefix}/404`)).status).toBe(404);
    rmSync(join(site.dir, `${file}.html`));
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { status, headers, body } = await site.request(`/${file}`);
    const html = body.toString();
    expect(status).toBe(500);
    expect(headers["x-request-id"]).toMatch(/^[\w-]{8,}$/);
    expect(headers["content-security-policy"]).toContain("script-src");
    expect(html).toContain(`>${headers["x-request-id"]}</code>`);
    expect(html).toContain(`<html lang="${getLocale(prefix)}"`);
    expect(html).not.toMatch(/%REQUEST_ID%|ENOENT/);
    const { text } = await readError(`/${file}`);
    const t = error[getLocale(prefix)];
    expect(text).toContain(t.heading500);
    expect(text.split(t.request)[1]).toMatch(/^ [\w-]{8,}/);
    log.mockRestore();
  });
});

describe("the built 404 page", () => {
  it.each([
    ["/%E4%B8%8D%E5%9C%A8", "/不在"],
    ["/en-US/caf%C3%A9/%E4%B8%8D", "/en-US/café/不"],
    ["/a%20b", "/a b"],
    ["/x%2Fy%3Fz", "/x%2Fy%3Fz"],
    ["/%E4%B8%8D%zz%E4%B8", "/不%zz%E4%B8"],
    ["/%C0%AF%FF", "/%C0%AF%FF"],
    ["/%E2%80%AEgnp.exe%E2%81%A9", "/%E2%80%AEgnp.exe%E2%81%A9"],
    ["/%3Cimg src=x onerror=alert(1)%3E", "/<img src=x onerror=alert(1)>"],
    ["/%3C/code%3E%3Cscript%3Ealert(1)%3C/script%3E", "/</code><script>alert(1)</script>"],
  ])("shows the path %s as %s", async (path, shown) => {
    const page = await browser.newPage();
    await page.goto(site.origin + path);
    expect(await page.locator("#path").textContent()).toBe(shown);
    expect(await page.locator("#path *, main img").count()).toBe(0);
    expect(await page.locator("#plain").isVisible()).toBe(false);
    await page.close();
  });

  it.each(prefixes)("under prefix %j shows a complete sentence without JavaScript", async (prefix) => {
    const t = error[getLocale(prefix)];
    const { text, read } = await readError(`${prefix}/nowhere`, false);
    expect(read).toContain(`- paragraph: 404 ${t.status404}\n`);
    expect(text).toContain(t.notFoundPlain);
    expect(text).not.toContain(t.notFound.split("{path}")[0]);
    expect(t.notFoundPlain).toMatch(/[.。]$/);
  });
});
