const [entry] = performance.getEntriesByType("navigation");

/** How the page was reached: `navigate`, `reload`, `back_forward` or `prerender`. */
export const navigationType = entry instanceof PerformanceNavigationTiming ? entry.type : undefined;

/** The address, with its text fragment, which `location` does not have. */
export const navigationUrl = entry?.name ?? "";

/** Returns whether a page of this site led here. */
export const isFromHere = () => document.referrer.startsWith(`${location.origin}/`);
