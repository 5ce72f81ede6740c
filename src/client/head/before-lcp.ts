import { latestLcp } from "#src/lib/page-lifecycle.ts";
import { isFromHere, navigationType, navigationUrl } from "./navigation.ts";

const root = document.documentElement;
// A page that opens at a place of its own, by a reload, the history, a hash or a text fragment, is laid out as a
// whole at once.
const isAtStart = navigationType === "navigate" && !/#/.test(location.hash + navigationUrl);
// Marks a page that a reader comes to from elsewhere until its LCP image has painted: what would delay that comes
// afterwards.
root.toggleAttribute("data-before-lcp", isAtStart && !isFromHere());
setTimeout(() => root.removeAttribute("data-before-lcp"), latestLcp);
