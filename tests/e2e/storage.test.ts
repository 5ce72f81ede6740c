import type { Frame, Page } from "@playwright/test";
import { serve } from "#tests/support/content/site.ts";
import { createSession, logIn, logInWithForm, orderTote, readSnapshots } from "./support/member.ts";
import { expect, test } from "./support/page.ts";
import { waitForIdle } from "./support/watch.ts";

/** Ways in which browser storage fails. Each runs in the page before its own scripts. */
const storageFaults = {
  denied: () => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
  corrupt: () => {
    if (sessionStorage.getItem("damaged")) return;
    sessionStorage.setItem("damaged", "once");
    const all = ["TOKEN", "USER_INFO", "USER_TOKEN", "CHAT_TOKEN", "COLOR_MODE", "no such key"];
    for (const [index, key] of all.entries())
      localStorage.setItem(key, ["{", "null", "[1", '{"id":{}}', "purple", "\u0000"][index] ?? "");
  },
};

test.describe("without an answer", () => {
  test.use({ allowed: [/ERR_FAILED/] });
  test("orders that were stored in one language are not shown in the other", { tag: "@phone" }, async ({ page }) => {
    await logIn(page);
    const order_sn = await orderTote(page);
    await page.goto("/user/order/list");
    await expect.poll(() => readSnapshots(page)).toContain(order_sn);
    await page.route("**/v1/**", (route) => route.abort());
    await page.reload();
    const order = page.getByRole("main").locator(`a[href$="${order_sn}"]`);
    await expect(order.first()).toBeVisible();
    await page.goto("/en-US/user/order/list");
    await expect(page.getByRole("main").getByRole("alert").first()).toBeVisible();
    await expect(order).toHaveCount(0);
  });
});

const expectNoFailure = (page: Page) => expect(page.locator("#failure")).toBeHidden();

for (const [fault, injectFault] of Object.entries(storageFaults)) {
  test.describe(`with ${fault} storage`, { tag: "@phone" }, () => {
    test("every page works and the session lasts for the tab", async ({ page, t }) => {
      await page.addInitScript(injectFault);
      for (const path of ["/", "/event/spring", "/mall", "/user/ui"]) {
        await page.goto(path);
        await expect(page.locator("h1")).toBeVisible();
        await waitForIdle(page);
        await expectNoFailure(page);
      }
      const modes = page.getByRole("contentinfo");
      await modes.getByRole("button", { name: t.frame.dark }).click();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await page.goto("/user/info");
      await expect(page).toHaveURL("/user/login?redirect=%2Fuser%2Finfo");
      const mobile = await logInWithForm(page, "");
      await expect(page).toHaveURL("/user/info");
      await expect(page.getByText(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`).first()).toBeVisible();
      const expectMember = () => expect(page.locator("html")).toHaveAttribute("data-member", "");
      await page.getByRole("navigation", { name: t.frame.tabNav }).getByRole("link", { name: t.frame.news }).click();
      await expect(page).toHaveURL("/news");
      await expectMember();
      await page.reload();
      await expectMember();
      await page.goBack();
      await expect(page).toHaveURL("/user/info");
      await expectMember();
      await page.getByRole("contentinfo").getByRole("link", { name: t.frame.ordersShort }).click();
      await expect(page).toHaveURL("/user/order/list");
      await expectMember();
      await expectNoFailure(page);
    });
  });
}

test.describe("a session in window.name", () => {
  // Another site puts a session of its own member into window.name and sends a visitor to the shop: a shop that trusts the
  // name logs the visitor in as that member. The server here sends no opener policy, because one would clear the name.

  const forwardedHeaders = ["content-type", "cache-control"];

  /** Proxies the server under test, with only the response headers that every static host sends. */
  async function serveOtherSite() {
    return serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      const method = request.method;
      const body = method === "GET" ? undefined : await request.arrayBuffer();
      const headers = new Headers(request.headers);
      for (const name of ["host", "connection", "accept-encoding", "content-length"]) headers.delete(name);
      const response = await fetch(new URL(pathname + search, process.env.TEST_ORIGIN), { method, headers, body });
      const headersToSend = forwardedHeaders.flatMap((name) =>
        response.headers.has(name) ? [[name, response.headers.get(name) ?? ""]] : [],
      );
      return new Response(response.body, { status: response.status, headers: Object.fromEntries(headersToSend) });
    });
  }

  interface Attack {
    /** The tab's name, ready for an attribute in double quotes. */
    name: string;
    /** A page of the shop. */
    shop: string;
  }

  const button = (script: string) => `<button id="go" onclick="${script}">go</button>`;

  /** The markup of the other site's page. A click on `#go` starts the attack. */
  const attacks: Record<string, (attack: Attack) => string> = {
    "a link's target": ({ name, shop }) => `<a id="go" target="${name}" href="${shop}">go</a>`,
    "a link without referrer": ({ name, shop }) =>
      `<a id="go" target="${name}" href="${shop}" rel="opener" referrerpolicy="no-referrer">go</a>`,
    "a base target": ({ name, shop }) => `<base target="${name}"><a id="go" href="${shop}">go</a>`,
    "a form's target": ({ name, shop }) => `<form action="${shop}" target="${name}"><button id="go">go</button></form>`,
    "window.open": ({ name, shop }) =>
      button(`window.open('${shop}', this.dataset.name)`).replace(">", ` data-name="${name}">`),
    "window.open, without the site's marker": ({ name, shop }) =>
      button(`window.open('${shop}', 'x'.repeat(9) + this.dataset.name.slice(9))`).replace(">", ` data-name="${name}">`),
    "a frame": ({ name, shop }) => `<iframe name="${name}" src="${shop}"></iframe><b id="go">go</b>`,
    "the tab itself": ({ name, shop }) =>
      button(`window.name = this.dataset.name; location = '${shop}'`).replace(">", ` data-name="${name}">`),
    "a tab that names itself": () => button("window.open('/named?then=there')"),
    "a renamed shop tab navigated to the shop again": ({ shop }) => openAndReturn(shop, "there"),
    "a renamed shop tab returned by history.back()": ({ shop }) => openAndReturn(shop, "back"),
  };

  /** Opens the shop in a tab, then a page of the other site that names the tab and returns to the shop. */
  function openAndReturn(shop: string, then: string): string {
    return button(
      `const tab = window.open('${shop}', 'plain'); window.continueAttack = () => { tab.location = origin + '/named?then=${then}' }`,
    );
  }

  let shop: Awaited<ReturnType<typeof serveOtherSite>>;
  let other: Awaited<ReturnType<typeof serve>>;
  let name = "";

  test.beforeAll(async () => {
    name = `entrance:${JSON.stringify(await createSession(process.env.TEST_ORIGIN ?? ""))}`;
    shop = await serveOtherSite();
    const inAttribute = name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    other = await serve((request) => {
      const { pathname, searchParams } = new URL(request.url);
      const at = `${shop.origin}/about/terms`;
      const then = searchParams.get("then") === "back" ? "history.back()" : `location = "${at}"`;
      const html =
        pathname === "/named"
          ? `<script>window.name = ${JSON.stringify(name)}; window.continueAttack = () => { ${then} }</script>`
          : (attacks[searchParams.get("attack") ?? ""]?.({ name: inAttribute, shop: at }) ?? "");
      return new Response(`<!doctype html><meta charset="utf-8">${html}`, { headers: { "content-type": "text/html" } });
    });
    // Another hostname makes it another site, not only another origin.
    other.origin = other.origin.replace("127.0.0.1", "localhost");
  });
  test.afterAll(() => {
    shop.close();
    other.close();
  });

  /** Carries out an attack; resolves with the frame in which the shop is open. */
  async function runAttack(page: Page, attack: string): Promise<Frame> {
    await page.goto(`${other.origin}/?attack=${encodeURIComponent(attack)}`);
    const getFrames = (start: string) =>
      page
        .context()
        .pages()
        .flatMap((one) => one.frames())
        .filter((frame) => frame.url().startsWith(start));
    const getShopFrames = () => getFrames(`${shop.origin}/about/terms`);
    /** Calls `continueAttack` in the only frame whose URL starts with `start`. */
    const continueAttack = async (start: string) => {
      await expect.poll(() => getFrames(start).length).toBe(1);
      // It leaves the page, which would end the call before it returns.
      await getFrames(start)[0]?.evaluate(() => void setTimeout(Reflect.get(window, "continueAttack")));
    };
    await page.locator("#go").click();
    const isRenamed = attack.startsWith("a renamed shop tab");
    if (isRenamed) {
      await expect.poll(() => getShopFrames().length).toBe(1);
      await getShopFrames()[0]?.waitForLoadState();
      await continueAttack(`${other.origin}/?attack=`);
    }
    if (isRenamed || attack.startsWith("a tab that")) await continueAttack(`${other.origin}/named`);
    await expect.poll(() => getShopFrames().length).toBe(1);
    const [frame] = getShopFrames();
    if (!frame) throw new Error("The shop is not open");
    await waitForIdle(frame);
    return frame;
  }

  for (const [state, injectFault] of [
    ["works", () => {}],
    // The tab's name stands in for its storage.
    ["is denied", storageFaults.denied],
  ] as const) {
    test.describe(`a tab whose storage ${state}`, { tag: "@desktop" }, () => {
      test.use({ allowed: [/foreign request|console/] });
      for (const attack of Object.keys(attacks)) {
        test(`window.name set by ${attack} starts no session`, async ({ page, context }) => {
          await context.addInitScript(injectFault);
          const tokens: string[] = [];
          context.on("request", (request) => tokens.push(request.headers().token ?? ""));
          const frame = await runAttack(page, attack);
          const state = await frame.evaluate(() => ({
            name: window.name.startsWith("entrance:") ? window.name : "",
            token: document.documentElement.hasAttribute("data-token"),
            member: document.documentElement.hasAttribute("data-member"),
          }));
          expect({ ...state, tokens: tokens.filter(Boolean) }).toEqual({
            name: "",
            token: false,
            member: false,
            tokens: [],
          });
        });
      }
    });
  }
});
