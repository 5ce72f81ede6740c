/** Registers the service worker, and tells it that this page has become idle, and which pictures it has loaded. */
export async function startWorker(): Promise<void> {
  const url = "/sw.js";
  // The page's CSP allows this one policy name, and the policy returns this one URL.
  const policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => url });
  // Refused where storage is denied: then the site works online only.
  const registered = await navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url).catch(() => null);
  if (!registered) return;
  const { active } = await navigator.serviceWorker.ready;
  const pictures = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...pictures.filter((name) => name.startsWith(`${location.origin}/pictures/`))]);
}
