// Runs in the head of every page before the first paint, as one inline script: the CSP has its hash.

// It stands first: a script that fails to load cannot report itself.
import "./failure.ts";
import "./session.ts";
import "./before-lcp.ts";
import "./color-mode.ts";
import "./press.ts";
import "./home-language.ts";
import "./language-offer.ts";
