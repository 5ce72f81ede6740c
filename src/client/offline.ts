/** Registers the service worker, and tells it what this page has loaded before it ran. */
export async function startWorker(): Promise<void> {
  const url = "/sw.js";
  // The page's CSP allows this one policy name, and the policy returns this one URL.
  const policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => url });
  const isFirst = !navigator.serviceWorker.controller;
  // Refused where storage is denied: then the site works online only.
  const registered = await navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url).catch(() => null);
  if (!registered || !isFirst) return;
  const { active } = await navigator.serviceWorker.ready;
  const pictures = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...pictures.filter((name) => name.startsWith(`${location.origin}/pictures/`))]);
}
