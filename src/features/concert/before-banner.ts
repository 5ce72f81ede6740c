import { hasClosing, hideBanner } from "./banner-state.ts";

// Runs right before the banner, so that one that is not to be shown is never painted.

const showEnds = document.currentScript?.dataset.showEnds ?? "";
if (Date.parse(showEnds) <= Date.now()) hideBanner("over");
else if (hasClosing()) hideBanner("closed");
