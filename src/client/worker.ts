import { splitPrefix } from "../../i18n/locale.ts";
import { apiPaths, getShell, shellParam } from "../routes.ts";

// The service worker, which the build bundles into `/sw.js`. It stores what visitors read, and no data of members.

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
declare const self: Worker;

/** Caches that this worker owns: pages, the hashed files that they need, and pictures. */
const names = { pages: "pages", files: "files", pictures: "pictures" };
/** Milliseconds until a stored page stands in for a slow answer. */
const patience = 3_000;
const mostPages = 60;
/** 100 pictures of at most 300 KiB: 30 MiB at most. */
const mostPictures = 100;
const maxPictureSize = 300 * 1024;

const api = new RegExp(`^/(?:(?:${apiPaths.folders.join("|")})/|(?:${apiPaths.files.join("|")})(?:/|$))`);
const isOwn = ({ origin, pathname }: URL) => origin === location.origin && !api.test(pathname);
const isFile = ({ pathname }: URL) => pathname.startsWith("/_astro/");
const isPicture = ({ pathname }: URL) => pathname.startsWith("/pictures/");
const isPage = ({ pathname }: URL) => !/\.\w{1,8}$/.test(pathname);

/** Returns the address under which a page is stored: pages of orders share the one of their shell. */
function toPageKey({ pathname }: URL): string {
  const shell = getShell(pathname);
  return shell?.endsWith(`/order/${shellParam}`) ? shell : pathname;
}

/** Removes the oldest entries above a limit. */
async function limit(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}

/** Returns the hashed files that a page or a script names, those that scripts load later among them. */
const findFiles = (text: string) =>
  [...text.matchAll(/(?:\/?_astro|["'`]\.)\/([\w.@~-]+\.(?:js|woff2))/g)].map(([, name]) => `/_astro/${name}`);

/** Stores hashed files with all that they load. Files that are stored already are not requested again. */
async function keepFiles(text: string, seen = new Set<string>()): Promise<Set<string>> {
  const files = await caches.open(names.files);
  const fresh = findFiles(text).filter((url) => !seen.has(url));
  for (const url of fresh) seen.add(url);
  await Promise.all(
    fresh.map(async (url) => {
      const stored = await files.match(url);
      const response = stored ?? (await fetch(url));
      if (!response.ok) return;
      if (!stored) await files.put(url, response.clone());
      if (url.endsWith(".js")) await keepFiles(await response.text(), seen);
    }),
  );
  return seen;
}

/** Stores a page after its files, so that no stored page lacks one. */
async function keepPage(url: URL, response: Response): Promise<void> {
  if (!response.ok || response.redirected || !response.headers.get("content-type")?.startsWith("text/html")) return;
  await keepFiles(await response.clone().text());
  const pages = await caches.open(names.pages);
  const key = toPageKey(url);
  // The newest stands last.
  await pages.delete(key);
  await pages.put(key, response);
  await limit(pages, mostPages);
}

async function keepPicture(request: string | Request, response: Response): Promise<void> {
  const size = Number(response.headers.get("content-length") ?? 0);
  if (response.status !== 200 || response.type !== "basic" || size > maxPictureSize) return;
  const pictures = await caches.open(names.pictures);
  await pictures.put(request, response);
  await limit(pictures, mostPictures);
}

/** Removes the files that no stored page needs any more. */
async function removeOldFiles(): Promise<void> {
  const [pages, files] = await Promise.all([caches.open(names.pages), caches.open(names.files)]);
  const used = new Set<string>();
  for (const response of await pages.matchAll()) await keepFiles(await response.text(), used);
  for (const request of await files.keys()) if (!used.has(new URL(request.url).pathname)) await files.delete(request);
}

/** Stores a page and its pictures that were loaded before the worker ran, and the lists of its language. */
async function keepVisit(urls: readonly string[]): Promise<void> {
  const own = urls.map((url) => new URL(url, location.origin)).filter(isOwn);
  const { prefix } = splitPrefix(own[0]?.pathname ?? "/");
  const lists = ["/event", "/news"].map((path) => new URL(prefix + path, location.origin));
  for (const url of [...own, ...lists]) {
    if (!isPicture(url) && !isPage(url)) continue;
    // A page that is missing now is read again later.
    const response = await fetch(url).catch(() => null);
    if (response) await (isPicture(url) ? keepPicture(url.href, response) : keepPage(url, response)).catch(() => {});
  }
}

function openPage(event: RequestEvent, url: URL): Promise<Response> {
  const network = Promise.resolve(event.preloadResponse).then((preloaded) => preloaded ?? fetch(event.request));
  event.waitUntil(network.then((response) => keepPage(url, response.clone())).catch(() => {}));
  const stored = async () => (await caches.open(names.pages)).match(toPageKey(url));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience)).then(stored);
  return Promise.race([network, late]).then(
    (response) => response ?? network,
    async () => (await stored()) ?? Response.error(),
  );
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
  self.addEventListener("activate", (event) =>
    event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), removeOldFiles(), self.clients.claim()])),
  );
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
  self.addEventListener("activate", (event) =>
    event.waitUntil(Promise.all([self.registration.unregister(), ...Object.values(names).map((name) => caches.delete(name))])),
  );
}
