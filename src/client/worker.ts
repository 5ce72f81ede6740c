import { prefixes, splitPrefix } from "#i18n/locale.ts";
import { getRoute, getShell, isApiPath, link, matchRoute, shellParam } from "#src/routes.ts";

// The service worker, which the build bundles into `/sw.js`. It stores what visitors read, and no data of members: `api/snapshot.ts` does.
// All of it is 2.3 KB compressed; Workbox's routing, strategies and expiration alone are 5.3.

/** The events of a service worker, whose library does not go with the one of pages. */
interface WorkerEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
interface WorkerEvents {
  install: WorkerEvent;
  activate: WorkerEvent;
  fetch: RequestEvent;
  message: WorkerEvent & { data: unknown };
}
interface Worker {
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { unregister(): Promise<boolean>; navigationPreload?: { enable(): Promise<void> } };
}

/** Set by the build: false removes the worker and what it has stored. */
declare const OFFLINE: boolean;
/** The database of members' tickets and orders, which goes with the worker. */
declare const SNAPSHOTS: string;
declare const self: Worker;

/** Caches that this worker owns: pages, the hashed files that they need, and pictures. */
const names = { pages: "pages", files: "files", pictures: "pictures" };
/** Milliseconds until a stored page stands in for a slow answer. */
const patience = 3_000;
/** Milliseconds for which a page that was not opened counts as new. */
const freshness = 3600_000;
const maxPages = 60;
/** 100 pictures of at most 300 KiB: 30 MiB at most. */
const maxPictures = 100;
const maxPictureSize = 300 * 1024;

const isOwn = ({ origin, pathname }: URL) => origin === location.origin && !isApiPath(pathname);
const isFile = ({ pathname }: URL) => pathname.startsWith("/_astro/");
const isPicture = ({ pathname }: URL) => pathname.startsWith("/pictures/");
const isPage = ({ pathname }: URL) => !/\.\w{1,8}$/.test(pathname);

/** Returns the address under which a page is stored: those that are never built for themselves share the one of their shell. */
function toPageKey({ pathname }: URL): string {
  const match = matchRoute(pathname);
  return (match && getRoute(match.name).shell === "always" && getShell(pathname)) || pathname;
}

/** Returns the pages that are readable offline though they were not opened: those that stand in for others, the lists, and for a member those of tickets and orders. */
function getCompanions(pathname: string): string[] {
  const { prefix } = splitPrefix(pathname);
  const pages = [link(prefix, "offline"), link(prefix, "eventList"), link(prefix, "newsList")];
  const match = matchRoute(pathname);
  if (!match || !getRoute(match.name).session) return pages;
  const orderPages = [link(prefix, "order", { order_sn: shellParam }), link(prefix, "userOrder", { order_sn: shellParam })];
  return [
    ...pages,
    link(prefix, "userInfo"),
    link(prefix, "userOrderList"),
    link(prefix, "orderEvent", { uid: shellParam }),
    ...orderPages,
  ];
}

/** Removes the oldest entries above a limit. */
async function limit(cache: Cache, max: number): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - max))) await cache.delete(key);
}

// Scripts name those that they load later relative to themselves; in a page, such a name may be part of its text.
const inPage = /_astro\/([\w.@~-]+\.(?:js|svg|woff2))/g;
const inScript = /(?:_astro|["'`]\.)\/([\w.@~-]+\.(?:js|woff2))/g;

/** Stores hashed files with all that they load. Files that are stored already are not requested again. Rejects when one is missing. */
async function keepFiles(text: string, seen = new Set<string>(), pattern = inPage): Promise<Set<string>> {
  const files = await caches.open(names.files);
  const urls = [...text.matchAll(pattern)].map(([, name]) => `/_astro/${name}`);
  const fresh = new Set(urls.filter((url) => !seen.has(url)));
  for (const url of fresh) seen.add(url);
  await Promise.all(
    Array.from(fresh, async (url) => {
      const stored = await files.match(url);
      const response = stored ?? (await fetch(url));
      if (!response.ok) throw new Error(`${url} is missing`);
      if (!stored) await files.put(url, response.clone());
      if (url.endsWith(".js")) await keepFiles(await response.text(), seen, inScript);
    }),
  );
  return seen;
}

/** Files are removed while no page is being stored, also by the worker of another build: the page would lack those that are there before it. */
const lock = "files";

/** Stores a page after its files, so that no stored page lacks one. */
async function keepPage(url: URL, response: Response): Promise<void> {
  // It was taken down.
  if (response.status === 404 || response.status === 410) await (await caches.open(names.pages)).delete(toPageKey(url));
  if (!response.ok || response.redirected || !response.headers.get("content-type")?.startsWith("text/html")) return;
  await navigator.locks.request(lock, { mode: "shared" }, async () => {
    await keepFiles(await response.clone().text());
    const pages = await caches.open(names.pages);
    const key = toPageKey(url);
    // The newest stands last.
    await pages.delete(key);
    await pages.put(key, response);
    await limit(pages, maxPages);
  });
}

/** Stores a picture as the one that was used last. */
async function keepPicture(request: string | Request, response: Response): Promise<void> {
  const size = Number(response.headers.get("content-length") ?? 0);
  if (response.status !== 200 || response.type !== "basic" || size > maxPictureSize) return;
  const pictures = await caches.open(names.pictures);
  await pictures.delete(request);
  await pictures.put(request, response);
  await limit(pictures, maxPictures);
}

/** Removes the files that no stored page needs any more, and pages that lack one. */
async function removeOldFiles(): Promise<void> {
  const [pages, files] = await Promise.all([caches.open(names.pages), caches.open(names.files)]);
  let used = new Set<string>();
  for (const request of await pages.keys()) {
    const text = await (await pages.match(request))?.text();
    // Each page looks for all that those before it do not have: two may lack the same file.
    const all = await keepFiles(text ?? "", new Set(used)).catch(() => null);
    if (all) used = all;
    else await pages.delete(request);
  }
  for (const request of await files.keys()) if (!used.has(new URL(request.url).pathname)) await files.delete(request);
}

/** Pages that were opened and have not become idle yet, by their key: storing one loads files, and must not slow it down. */
const opened = new Map<string, Response>();

/** Returns a page as it was opened, or else from the network: a companion unless it is stored as of a while ago. */
async function loadPage(url: URL, isCompanion: boolean): Promise<Response | null> {
  const key = toPageKey(url);
  const response = opened.get(key);
  opened.delete(key);
  if (response) return response;
  // Another worker, or this one before it was stopped, has opened the page.
  if (!isCompanion) return fetch(url);
  const date = (await (await caches.open(names.pages)).match(key))?.headers.get("date");
  return date && Date.now() - Date.parse(date) < freshness ? null : fetch(url);
}

/** Stores a page that has become idle with its pictures, and its companions. */
async function keepVisit(urls: readonly string[]): Promise<void> {
  const own = urls.map((url) => new URL(url, location.origin)).filter(isOwn);
  const companions = getCompanions(own[0]?.pathname ?? "/").map((path) => new URL(path, location.origin));
  for (const url of [...own, ...companions]) {
    const load = async () => {
      if (isPicture(url)) return (await caches.match(url)) ?? fetch(url);
      return isPage(url) ? loadPage(url, companions.includes(url)) : null;
    };
    const response = await load().catch(() => null);
    // What is missing now is loaded again later.
    if (response) await (isPicture(url) ? keepPicture(url.href, response) : keepPage(url, response)).catch(() => {});
  }
}

function openPage(event: RequestEvent, url: URL): Promise<Response> {
  const network = Promise.resolve(event.preloadResponse).then((preloaded) => preloaded ?? fetch(event.request));
  const key = toPageKey(url);
  event.waitUntil(network.then((response) => opened.set(key, response.clone())).catch(() => {}));
  const pages = caches.open(names.pages);
  const stored = async () => (await pages).match(key);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience)).then(stored);
  // One in another language is better than the browser's own error.
  const offlinePage = async () => {
    const all = [splitPrefix(url.pathname).prefix, ...prefixes].map(async (prefix) =>
      (await pages).match(link(prefix, "offline")),
    );
    return (await Promise.all(all)).find(Boolean);
  };
  // A server, or a proxy before it, that fails hides no stored page; without one, its own answer says what is wrong.
  const prefer = async (response: Response) => (response.status < 500 ? response : ((await stored()) ?? response));
  return Promise.race([network, late])
    .then(async (response) => prefer(response ?? (await network)))
    .catch(async () => (await stored()) ?? (await offlinePage()) ?? Response.error());
}

/** Returns a file with a hash in its name: the stored one, as it never changes. */
async function openHashed(event: RequestEvent, name: string): Promise<Response> {
  const stored = await (await caches.open(name)).match(event.request);
  if (stored) return stored;
  const response = await fetch(event.request);
  const copy = response.clone();
  if (name === names.pictures) event.waitUntil(keepPicture(event.request, copy).catch(() => {}));
  else if (response.status === 200) event.waitUntil(caches.open(name).then((files) => files.put(event.request, copy)));
  return response;
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
if (OFFLINE) {
  self.addEventListener("activate", (event) => {
    event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]));
    // Pages would wait for it. What it does not finish before the browser stops the worker, that of the next build does.
    void navigator.locks.request(lock, removeOldFiles);
  });
  self.addEventListener("message", (event) => {
    if (Array.isArray(event.data)) event.waitUntil(keepVisit(event.data.map(String)));
  });
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || !isOwn(url) || request.headers.has("range")) return;
    if (request.mode === "navigate" && isPage(url)) event.respondWith(openPage(event, url));
    else if (isFile(url)) event.respondWith(openHashed(event, names.files));
    else if (isPicture(url)) event.respondWith(openHashed(event, names.pictures));
  });
} else {
  self.addEventListener("activate", (event) => {
    indexedDB.deleteDatabase(SNAPSHOTS);
    event.waitUntil(Promise.all([self.registration.unregister(), ...Object.values(names).map((name) => caches.delete(name))]));
  });
}
