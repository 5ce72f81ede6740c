import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { expect, holdRequests } from "./page.ts";
import { waitForIdle } from "./watch.ts";

/** A control in the HTML of an island: its index among all controls of the page, and its kind. */
export interface Control {
  index: number;
  kind: string;
}

const controlSelector = "astro-island :is(button, input, select, textarea)";

/** Holds the page's scripts; returns a function that lets them go. */
export const blockScripts = (page: Page) => holdRequests(page, "**/_astro/*.js");

/** Returns one usable control of each kind in the islands of a page. */
export async function getControls(page: Page): Promise<Control[]> {
  const controls = await page.locator(controlSelector).evaluateAll((elements) =>
    elements.map((element, index) => {
      const { name = "", type = "" } = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
      const isUnusable = element.matches(":disabled, [aria-disabled=true], [type=hidden]") || !element.checkVisibility();
      const label = element.getAttribute("aria-label") ?? element.closest("button")?.className ?? "";
      const island = element.closest("astro-island")?.getAttribute("component-export");
      const state = element instanceof HTMLInputElement && element.checked ? "checked" : "";
      return isUnusable ? null : { index, kind: [island, element.tagName, type, name, label, state].filter(Boolean).join(" ") };
    }),
  );
  const kinds = new Map(controls.flatMap((one) => (one ? [[one.kind, one] as const] : [])));
  return [...kinds.values()];
}

/** Operates a control by touch or keyboard. */
export async function operateControl(page: Page, { index }: Control): Promise<void> {
  const control = page.locator(controlSelector).nth(index);
  const type = await control.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName.toLowerCase(),
  );
  if (type === "radio" || type === "checkbox") await control.locator("xpath=ancestor::label").tap();
  else if (type === "select") await control.selectOption({ index: 1 });
  else if (type === "button") await control.tap();
  else {
    await control.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("2");
  }
}

/** Waits for the script that records presses for React; earlier, a press on a button without a native action is lost. */
export async function waitForReplayScript(page: Page): Promise<void> {
  await page.waitForFunction(() => customElements.get("astro-island"));
}

/** Hydrates all islands of the page, also after a navigation, and waits for them. */
export async function hydrateIslands(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => {
      for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("hydrate-request"));
    });
    await expect(page.locator("astro-island[ssr]")).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
}

/** Hydrates all islands and waits until they have loaded; the loading examples on /user/ui stay as they are. */
export async function waitForIslands(page: Page): Promise<void> {
  await waitForIdle(page);
  await page.evaluate(() => {
    for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("hydrate-request"));
  });
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await waitForIdle(page);
  if (new URL(page.url()).pathname === "/user/ui") return;
  await expect(page.locator("main [aria-busy=true]:visible")).toHaveCount(0);
}

/** Returns the stable result of using a control: the URL, the state of each control, and open dialogs. */
export async function getOutcome(page: Page): Promise<unknown> {
  let outcome: unknown;
  // The control may navigate.
  await expect(async () => {
    // A search begins a moment after the last key, and then stands in the URL.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>("input[type=search]")].every(
        ({ name, value }) => value.trim() === (new URLSearchParams(location.search).get(name) ?? ""),
      ),
    );
    await waitForIdle(page);
    const before = await page.evaluate(readPageState);
    await waitForIdle(page);
    outcome = await page.evaluate(readPageState);
    // Rendering has finished when nothing changes any more.
    expect(outcome).toEqual(before);
  }).toPass();
  return outcome;
}

function readPageState() {
  return {
    // A variant with several options is sent as its options or as its uid, which another test covers.
    url: location.pathname + decodeURIComponent(location.search).replace(/\?(sku|spec-).*/, ""),
    controls: [...document.querySelectorAll("main :is(button, input, select, textarea), dialog[open]")].map((element) => {
      const {
        checked = null,
        value = null,
        disabled = null,
      } = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
        ? { checked: element instanceof HTMLInputElement && element.checked, value: element.value, disabled: element.disabled }
        : {};
      const aria = [...element.attributes].filter(({ name }) =>
        /^aria-(pressed|selected|expanded|invalid|valuenow)$/.test(name),
      );
      return [element.tagName, checked, value, disabled, ...aria.map(({ name, value }) => `${name}=${value}`)].join(" ");
    }),
  };
}

const chunkCount = 16;
/** Delay between two chunks in ms, long enough to paint what has arrived. */
const chunkDelay = 80;

/** Returns the headers of a call, as far as fetch takes them. */
function getHeaders({ headersDistinct }: IncomingMessage): [string, string][] {
  const own = ["host", "connection", "content-length", "accept-encoding"];
  return Object.entries(headersDistinct).flatMap(([name, [value = ""] = []]) =>
    own.includes(name) ? [] : [[name, value] satisfies [string, string]],
  );
}

/** Starts a proxy to `target` that sends pages in chunks, as over a slow connection. */
export async function startSlowProxy(target: string): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const upstream = await fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "GET",
      redirect: "manual",
      headers: getHeaders(request),
      ...(request.method === "POST" ? { body: await text(request) } : {}),
    });
    const body = Buffer.from(await upstream.arrayBuffer());
    const headers = new Headers(upstream.headers);
    // fetch has decompressed the body.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    response.writeHead(upstream.status, Object.fromEntries(headers));
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const size = Math.ceil(body.length / chunkCount);
    const cuts = isPage ? Array.from({ length: chunkCount - 1 }, (_, index) => (index + 1) * size) : [];
    // Where it is hardest: between the pay code and the link beside it.
    const code = body.indexOf('id="early-code"');
    if (code > 0) cuts.push(body.lastIndexOf("<img", code));
    let sent = 0;
    for (const cut of [...cuts.toSorted((a, b) => a - b), body.length]) {
      if (sent > 0) await pause(chunkDelay);
      response.write(body.subarray(sent, cut));
      sent = cut;
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
