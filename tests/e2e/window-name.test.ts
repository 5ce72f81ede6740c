import type { Frame, Page } from "@playwright/test";
import { serve } from "../support/serve.ts";
import { newSession } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { storageFaults } from "./support/storage-faults.ts";

// Another site names a tab so that it holds a session of its own member, and leads a visitor there: whoever believed the
// name would be logged in as somebody else. The shop stands on a host that sends no opener policy, which would clear the name.

const headersPassed = ["content-type", "cache-control"];

/** Passes requests on to the server under test, and of its headers only those that every static host sends. */
async function serveOtherSite() {
  return serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    const method = request.method;
    const body = method === "GET" ? undefined : await request.arrayBuffer();
    const headers = new Headers(request.headers);
    for (const name of ["host", "connection", "accept-encoding", "content-length"]) headers.delete(name);
    const answer = await fetch(new URL(pathname + search, process.env.TEST_ORIGIN), { method, headers, body });
    const passed = headersPassed.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? ""]] : []));
    return new Response(answer.body, { status: answer.status, headers: Object.fromEntries(passed) });
  });
}

interface Attack {
  /** The tab's name, ready for an attribute in double quotes. */
  name: string;
  /** A page of the shop. */
  shop: string;
}

const button = (script: string) => `<button id="go" onclick="${script}">go</button>`;

/** What stands on the other site's page. A click on `#go` begins. */
const ways: Record<string, (attack: Attack) => string> = {
  "a link's target": ({ name, shop }) => `<a id="go" target="${name}" href="${shop}">go</a>`,
  "a link without referrer": ({ name, shop }) =>
    `<a id="go" target="${name}" href="${shop}" rel="opener" referrerpolicy="no-referrer">go</a>`,
  "a target for all links": ({ name, shop }) => `<base target="${name}"><a id="go" href="${shop}">go</a>`,
  "a form's target": ({ name, shop }) => `<form action="${shop}" target="${name}"><button id="go">go</button></form>`,
  "window.open": ({ name, shop }) => button(`window.open('${shop}', this.dataset.name)`).replace(">", ` data-name="${name}">`),
  "window.open, without our mark": ({ name, shop }) =>
    button(`window.open('${shop}', 'x'.repeat(9) + this.dataset.name.slice(9))`).replace(">", ` data-name="${name}">`),
  "a frame": ({ name, shop }) => `<iframe name="${name}" src="${shop}"></iframe><b id="go">go</b>`,
  "the tab itself": ({ name, shop }) =>
    button(`window.name = this.dataset.name; location = '${shop}'`).replace(">", ` data-name="${name}">`),
  "a tab that names itself": () => button("window.open('/named?then=there')"),
  "a tab that was the shop's, sent there again": ({ shop }) => awayAndBack(shop, "there"),
  "a tab that was the shop's, sent back": ({ shop }) => awayAndBack(shop, "back"),
};

/** Opens the shop in a tab, then a page of the other site that names the tab and leads to the shop again. */
function awayAndBack(shop: string, then: string): string {
  return button(
    `const tab = window.open('${shop}', 'plain'); window.lead = () => { tab.location = origin + '/named?then=${then}' }`,
  );
}

let shop: Awaited<ReturnType<typeof serveOtherSite>>;
let other: Awaited<ReturnType<typeof serve>>;
let name = "";

test.beforeAll(async () => {
  name = `entrance:${JSON.stringify(await newSession(process.env.TEST_ORIGIN ?? ""))}`;
  shop = await serveOtherSite();
  const inAttribute = name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  other = await serve((request) => {
    const { pathname, searchParams } = new URL(request.url);
    const at = `${shop.origin}/about/terms`;
    const then = searchParams.get("then") === "back" ? "history.back()" : `location = "${at}"`;
    const html =
      pathname === "/named"
        ? `<script>window.name = ${JSON.stringify(name)}; window.lead = () => { ${then} }</script>`
        : (ways[searchParams.get("way") ?? ""]?.({ name: inAttribute, shop: at }) ?? "");
    return new Response(`<!doctype html><meta charset="utf-8">${html}`, { headers: { "content-type": "text/html" } });
  });
  // Another site, and not only another port of this one.
  other.origin = other.origin.replace("127.0.0.1", "localhost");
});
test.afterAll(() => {
  shop.close();
  other.close();
});

/** Carries a way out; resolves with where the shop is open in the end. */
async function carryOut(page: Page, way: string): Promise<Frame> {
  await page.goto(`${other.origin}/?way=${encodeURIComponent(way)}`);
  const framesAt = (start: string) =>
    page
      .context()
      .pages()
      .flatMap((one) => one.frames())
      .filter((frame) => frame.url().startsWith(start));
  const atShop = () => framesAt(`${shop.origin}/about/terms`);
  /** Has the one page at an address of the other site lead its tab on. */
  const leadOn = async (start: string) => {
    await expect.poll(() => framesAt(start).length).toBe(1);
    await framesAt(start)[0]?.evaluate(() => Reflect.get(window, "lead")());
  };
  await page.locator("#go").click();
  if (way.includes("was the shop's")) {
    await expect.poll(() => atShop().length).toBe(1);
    await atShop()[0]?.waitForLoadState();
    await leadOn(`${other.origin}/?way=`);
  }
  if (way.startsWith("a tab that")) await leadOn(`${other.origin}/named`);
  await expect.poll(() => atShop().length).toBe(1);
  const [frame] = atShop();
  if (!frame) throw new Error("The shop is not open");
  await frame.waitForLoadState("networkidle");
  return frame;
}

for (const [state, damage] of [
  ["works", () => {}],
  ["is denied", storageFaults.denied],
] as const) {
  test.describe(`in a tab whose storage ${state}`, { tag: "@desktop" }, () => {
    test.use({ allowed: [/foreign request|console/] });
    for (const way of Object.keys(ways)) {
      test(`a name given by ${way} logs nobody in`, async ({ page, context }) => {
        await context.addInitScript(damage);
        const tokens: string[] = [];
        context.on("request", (request) => tokens.push(request.headers().token ?? ""));
        const frame = await carryOut(page, way);
        const found = await frame.evaluate(() => ({
          name: window.name.startsWith("entrance:") ? window.name : "",
          token: document.documentElement.hasAttribute("data-token"),
          member: document.documentElement.hasAttribute("data-member"),
        }));
        expect({ ...found, tokens: tokens.filter(Boolean) }).toEqual({
          name: "",
          token: false,
          member: false,
          tokens: [],
        });
      });
    }
  });
}
