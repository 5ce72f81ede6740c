import plugin from "tailwindcss/plugin";
import { tints } from "./src/content/picture/tint.ts";

// Names only: the values stand in src/styles/tokens.css.
const role = (...names) => Object.fromEntries(names.map((name) => [name, `var(--${name})`]));
const prefixed = (prefix, ...names) => Object.fromEntries(names.map((name) => [name, `var(--${prefix}${name})`]));

/** @type {import("tailwindcss").Config} */
export default {
  theme: {
    extend: { spacing: role("gutter", "gap", "section", "header", "tabbar") },
    screens: { sm: "40rem", md: "48rem", lg: "60rem", xl: "75rem" },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      // On the stage and on codes, the same in both modes.
      white: "#fff",
      black: "#0c1116",
      ...role("bg", "surface", "sunken", "raised", "ink", "ink-2", "ink-3", "line", "line-strong"),
      ...role(
        "accent",
        "accent-hover",
        "on-accent",
        "accent-ink",
        "wash",
        "sign",
        "on-sign",
        "sign-2",
        "lit",
        "on-lit",
        "yellow",
      ),
      ...role(
        "stage",
        "on-stage",
        "on-stage-2",
        "danger",
        "on-danger",
        "danger-wash",
        "warn",
        "warn-wash",
        "info",
        "info-wash",
      ),
    },
    fontFamily: prefixed("font-", "sans", "display", "song"),
    fontSize: prefixed(
      "text-",
      ...["2xs", "xs", "sm", "base", "lg", "xl", "2xl", "3xl", "4xl", "5xl", "6xl", "7xl", "8xl", "section", "title", "count"],
    ),
    borderRadius: { none: "0", full: "9999px", ...prefixed("r-", "paper", "plate", "control", "sheet") },
    boxShadow: prefixed("shadow-", "paper", "pop"),
    transitionDuration: role("fast", "base", "slow"),
    transitionTimingFunction: { out: "var(--ease-out)", door: "var(--ease-door)" },
  },
  // `tint-d0`: the dominant colour behind a picture.
  plugins: [plugin(({ matchUtilities }) => matchUtilities({ tint: (color) => ({ "--tint": color }) }, { values: tints }))],
};
