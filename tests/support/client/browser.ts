import { vi } from "vitest";
import type { TestServer } from "../processes/test-server.ts";

/** The network between page and server; tests replace it with a faulty one. */
export type Network = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

interface PageRequest {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
}

export interface Page {
  /** Requests of the page, in order. */
  requests: PageRequest[];
  /** Navigations by `replace` or `assign`. */
  navigations: { how: "replace" | "assign"; url: string }[];
  network: Network;
  storage: Map<string, string>;
  /** Properties of the root's style. */
  styles: Map<string, string>;
  /** Writes to the storage as another tab does, and dispatches the `storage` event. */
  writeFromOtherTab(key: string, value: string | null): void;
  /** Changes `document.visibilityState`. */
  setVisibility(state: "hidden" | "visible"): void;
  /** Returns the paths of the requests without `/v1/`. */
  calls(): string[];
}

export const offline: Network = async () => {
  throw new TypeError("Failed to fetch");
};
export const respondWith =
  (body: string, init: ResponseInit = {}): Network =>
  async () =>
    new Response(body, { headers: { "content-type": "application/json" }, ...init });
export const respondWithEnvelope = (code: number, data: unknown = null, msg = "no") =>
  respondWith(JSON.stringify({ code, msg, data }));

let current: { server: TestServer; page: Page; origin: string } | undefined;

// Libraries capture `fetch` at import, so this one dispatches to the page of the running test.
globalThis.fetch = async (input, init) => {
  if (!current) throw new Error("no page is open");
  const { server, page, origin } = current;
  const request = new Request(input instanceof Request ? input : new URL(String(input), origin), init);
  const { pathname } = new URL(request.url);
  const body = await request.clone().text();
  page.requests.push({ method: request.method, path: pathname, body: body && JSON.parse(body), headers: request.headers });
  const response = page.network(request, () => server.fetch(request));
  return request.signal.aborted ? Promise.reject(request.signal.reason) : response;
};

function webStorage(items: Map<string, string>): Storage {
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}

/**
 * Opens a page of the site against a server in memory, with the few browser globals that the stores need and a fresh module registry.
 * Import stores afterwards, with `await import()`.
 */
export function openPage(path: string, server: TestServer, stored: Record<string, string> = {}): Page {
  vi.resetModules();
  const origin = "http://site.test";
  const url = new URL(path, origin);
  const events = new EventTarget();
  const storage = new Map(Object.entries(stored));
  const navigations: Page["navigations"] = [];
  const localStorage = webStorage(storage);
  const page: Page = {
    requests: [],
    styles: new Map(),
    navigations,
    storage,
    network: (_, pass) => pass(),
    writeFromOtherTab(key, value) {
      if (value === null) storage.delete(key);
      else storage.set(key, value);
      events.dispatchEvent(Object.assign(new Event("storage"), { key, newValue: value, storageArea: localStorage }));
    },
    setVisibility(state) {
      Object.assign(document, { visibilityState: state, hidden: state === "hidden" });
      events.dispatchEvent(new Event("visibilitychange"));
    },
    calls: () => page.requests.map((one) => one.path.replace("/v1/", "")),
  };
  const attributes = new Set<string>();
  const globals: Record<string, unknown> = {
    window: globalThis,
    name: "",
    localStorage,
    sessionStorage: webStorage(new Map()),
    location: {
      href: url.href,
      origin,
      pathname: url.pathname,
      search: url.search,
      hash: url.hash,
      replace: (to: string) => void navigations.push({ how: "replace", url: to }),
      assign: (to: string) => void navigations.push({ how: "assign", url: to }),
    },
    document: {
      documentElement: {
        lang: url.pathname.startsWith("/en-US") ? "en-US" : "zh-CN",
        dataset: {},
        toggleAttribute: (key: string, on: boolean) => (on ? attributes.add(key) : attributes.delete(key)),
        style: { setProperty: (key: string, value: string) => page.styles.set(key, value) },
      },
      getElementById: () => null,
      visibilityState: "visible",
      hidden: false,
      addEventListener: events.addEventListener.bind(events),
      removeEventListener: events.removeEventListener.bind(events),
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
  };
  for (const [key, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  }
  current = { server, page, origin };
  return page;
}

const html = { headers: { "content-type": "text/html" } };

/** Responses of a faulty network to a public call, and the problem that the page then reports. */
export const networkFaults: [name: string, network: Network, why: string][] = [
  ["no connection", offline, "offline"],
  ["a 500", respondWith(JSON.stringify({ code: 10500, msg: "", data: {} }), { status: 500 }), "server"],
  ["a 503", respondWith("", { status: 503 }), "server"],
  ["a 429", respondWith(JSON.stringify({ code: 10004, msg: "", data: {} }), { status: 429 }), "busy"],
  ["a page of HTML", respondWith("<!doctype html><title>Wi-Fi</title>", html), "unreadable"],
  ["broken JSON", respondWith('{"code":1,'), "unreadable"],
  ["data of another shape", respondWithEnvelope(1, { list: [{ goods_uid: 7 }], info: null }), "unreadable"],
  ["no data", respondWithEnvelope(1, null), "unreadable"],
  ["a refusal", respondWithEnvelope(10006, null, "not now"), "not now"],
];

/** Returns the problem that one of `networkFaults` causes. */
export const toFailure = (message: string) =>
  message === "not now" ? { kind: "failed" as const, message, isAnswer: true } : { kind: "failed" as const, message };

/** Texts equal to the names of their problems. */
export const reasons = {
  offline: "offline",
  timeout: "timeout",
  busy: "busy",
  server: "server",
  unreadable: "unreadable",
};

/** Returns a network on which every call waits for `resume`. */
export function pauseNetwork(): { network: Network; resume: () => void } {
  let resume = () => {};
  const gate = new Promise<void>((resolve) => {
    resume = resolve;
  });
  return { network: (_, pass) => gate.then(pass), resume };
}

/** Waits until a check of a store passes. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 5 });
