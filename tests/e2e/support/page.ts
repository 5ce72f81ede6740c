import { test as base, expect, type Page, type Route } from "@playwright/test";
import { concert } from "#i18n/concert.ts";
import { frame } from "#i18n/frame.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import { error } from "#i18n/page.ts";
import { field, responseCode } from "#i18n/response-code.ts";
import { session } from "#i18n/session.ts";
import { state } from "#i18n/state.ts";
import { ui } from "#i18n/ui.ts";
import { type DateForm, drawDate, speakDate } from "#src/lib/date.ts";
import { type Line, openLine } from "./servers.ts";
import { flush, watch } from "./watch.ts";

interface Options {
  /** Patterns of the problems that a test provokes on purpose. Every other problem fails it. */
  allowed: RegExp[];
  prefix: Prefix;
  /** The server that `line` leads to. */
  target: string;
}

function getTexts(prefix: Prefix) {
  const locale = getLocale(prefix);
  return {
    code: responseCode[locale],
    concert: concert[locale],
    error: error[locale],
    field: field[locale],
    frame: frame[locale],
    session: session[locale],
    state: state[locale],
    ui: ui[locale],
  };
}

/**
 * Playwright's `test` with the locale prefix and the texts of its language, which also fails on hidden problems in any tab of
 * the context: a violation of the content security policy, a console error or warning, an uncaught error, an unexpected layout
 * shift, a request to a foreign origin. A test that provokes one allows it: `test.use({ allowed: [/404/] })`.
 */
export const test = base.extend<Options & { t: ReturnType<typeof getTexts>; line: Line; watched: undefined }>({
  allowed: [[], { option: true }],
  prefix: ["", { option: true }],
  target: [process.env.TEST_ORIGIN ?? "", { option: true }],
  line: async ({ target }, use) => {
    const line = await openLine(target);
    await use(line);
    line.close();
  },
  t: async ({ prefix }, use) => use(getTexts(prefix)),
  watched: [
    async ({ context, baseURL, allowed }, use) => {
      const problems = await watch(context, baseURL ?? "");
      await use(undefined);
      await flush(context);
      expect(problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Defines the same tests for each language, the second one tagged `@long`; `details` may tag them for one device. */
export function inBothLanguages(define: () => void, { tag }: { tag?: "@phone" | "@desktop" } = {}): void {
  for (const prefix of ["", "/en-US"] as const) {
    const tags = [...(tag ? [tag] : []), ...(prefix ? ["@long"] : [])];
    test.describe(getLocale(prefix), { tag: tags }, () => {
      test.use({ prefix, locale: getLocale(prefix) });
      define();
    });
  }
}

/** One page of each kind that needs no session, without prefix; a missing one stands for 404. The test content has these events and news. */
export const samplePaths = [
  "/",
  "/event",
  "/event/entrance",
  "/event/spring",
  "/news",
  "/news/page/2",
  "/news/sample-1",
  "/about/terms",
  "/search",
  "/mall",
  "/mall/item/vinyl",
  "/mall/vip/regular",
  "/user/login",
  "/user/ui",
  "/offline",
  "/no/such/page",
  "/500",
] as const;

/** Opens the pages of a label that is not the demo, in the tests around this call. */
export function onLabel(): void {
  test.skip(!process.env.TEST_LABEL_ORIGIN, "npm run test:full builds the label");
  test.use({ baseURL: process.env.TEST_LABEL_ORIGIN ?? "" });
}

/** Returns the text of a date in a page: as it is drawn, and in words for who hears it. */
export const toDayText = (iso: string, form: DateForm, locale: string): string =>
  drawDate(new Date(iso), form) + speakDate(new Date(iso), form, locale);

export function prefixPath(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}

/** Serves the shell at the path of a built page, as for something published after the build. */
export async function serveShell(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const shell = await route.fetch({ url: new URL(path.replace(/[^/]+$/, "no-such"), route.request().url()).href });
    await route.fulfill({ response: shell });
  });
}

/** Waits until the service worker has stored pages, so that they can be opened without a connection. */
export async function waitUntilStored(page: Page, ...paths: string[]): Promise<void> {
  const isStored = (all: string[]) => Promise.all(all.map((path) => caches.match(path))).then((found) => found.every(Boolean));
  await expect.poll(() => page.evaluate(isStored, paths)).toBe(true);
}

/** Holds the requests to these URLs; returns a function that lets them and later ones go. */
export async function holdRequests(page: Page, urls: string): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let isReleased = false;
  await page.route(urls, async (route) => {
    if (isReleased) await route.continue();
    else waiting.push(route);
  });
  return async () => {
    isReleased = true;
    await Promise.all(waiting.splice(0).map((route) => route.continue()));
  };
}

/** Holds the next answer to a call until `respond`. `answered` resolves once the server has sent it. */
export async function holdOnce(page: Page, path: string): Promise<{ answered: Promise<void>; respond: () => void }> {
  let respond = () => {};
  let report = () => {};
  const gate = new Promise<void>((resolve) => (respond = resolve));
  const answered = new Promise<void>((resolve) => (report = resolve));
  const hold = async (route: Route) => {
    const response = await route.fetch();
    report();
    await gate;
    await route.fulfill({ response });
  };
  await page.route(`**${path}`, hold, { times: 1 });
  return { answered, respond };
}
