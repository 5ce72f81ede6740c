import { whenIdle } from "#src/lib/page-lifecycle.ts";

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
    };
  }
  interface Navigator {
    /** Global Privacy Control, the successor of Do Not Track. */
    globalPrivacyControl?: boolean;
  }
}

/** Loads the visitor statistics' script once the page is idle, unless the visitor opts out by Do Not Track or Global Privacy Control. */
export function loadStatistics(): void {
  if (navigator.doNotTrack === "1" || navigator.globalPrivacyControl) return;
  whenIdle(async () => {
    const url = import.meta.env.PUBLIC_STATISTICS_SCRIPT ?? "";
    const attributes = new URLSearchParams(import.meta.env.PUBLIC_STATISTICS_ATTRIBUTES);
    const script = document.createElement("script");
    script.async = true;
    for (const [name, value] of attributes) script.setAttribute(name, value);
    // The page's CSP allows this one policy name, and the policy returns this one URL.
    const policy = window.trustedTypes?.createPolicy("statistics", { createScriptURL: () => url });
    script.src = policy?.createScriptURL(url) ?? url;
    document.head.append(script);
  });
}
