import plugin from "tailwindcss/plugin";
import { tints } from "./src/content/picture/tint.ts";

// Colours by what they are for: with the house lights up, and down. Those of the sign are the shop's (`src/lib/accent.ts`).
/** @type {Record<string, [string, string]>} */
export const colors = {
  bg: ["#f3f5f7", "#0a0d10"],
  surface: ["#fff", "#192027"],
  sunken: ["#e7ebef", "#242d36"],
  raised: ["#fff", "#36414c"],
  ink: ["#0c1116", "#f1f4f6"],
  "ink-2": ["#46515c", "#b1bcc6"],
  "ink-3": ["#5d6873", "#98a4b0"],
  line: ["#d3dae1", "#313b45"],
  "line-strong": ["#7b8792", "#7c8995"],
  "plan-h": ["#fff", "#f1f4f6"],
  stage: ["#0c1116", "#141a20"],
  "on-stage": ["#f1f4f6", "#f1f4f6"],
  "on-stage-2": ["#a9b4be", "#b1bcc6"],
  concrete: ["#37424c", "#20282f"],
  "stage-line": ["#2b343c", "#313b45"],
  danger: ["#bf2a0c", "#ff7d63"],
  "on-danger": ["#fff", "#1c0500"],
  "danger-wash": ["#fde7e1", "#33120b"],
  warn: ["#855300", "#f5bf4f"],
  "warn-wash": ["#fdf0d2", "#2b2007"],
  info: ["#1c45c4", "#8fb0ff"],
  "info-wash": ["#e2e9fd", "#121d3d"],
  focus: ["#0c1116", "#f1f4f6"],
  "focus-gap": ["#fff", "#0a0d10"],
  skeleton: ["#dfe5ea", "#242d36"],
  "skeleton-hi": ["#eef1f4", "#313c46"],
};
const shadows = {
  "shadow-paper": ["0 1px 0 #0c111614, 0 22px 40px -20px #0c111659", "0 0 0 1px #ffffff0a, 0 24px 48px -16px #000"],
  "shadow-pop": ["0 0 0 1px #0c111614, 0 16px 40px -12px #0c11164d", "0 0 0 1px #414d58, 0 20px 48px -12px #000"],
};
const text = {
  "2xs": "0.6875rem",
  xs: "0.75rem",
  sm: "0.875rem",
  base: "1rem",
  lg: "1.125rem",
  xl: "1.25rem",
  "2xl": "1.5rem",
  "3xl": "1.875rem",
  "4xl": "2.375rem",
  "5xl": "3rem",
  "6xl": "4rem",
  "7xl": "5.5rem",
  "8xl": "8rem",
  title: "clamp(2.375rem, 5.6vw, 4.75rem)",
  section: "clamp(1.625rem, 3vw, 2.5rem)",
};
const corners = { plate: "2px", control: "4px", sheet: "10px" };
const motion = {
  fast: "120ms",
  base: "220ms",
  slow: "420ms",
  "ease-out": "cubic-bezier(0.2, 0.8, 0.2, 1)",
  "ease-door": "cubic-bezier(0.7, 0, 0.15, 1)",
};

/** Returns the entries as custom properties. */
const properties = (entries, prefix = "") =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [`--${prefix}${name}`, value]));
const inMode = (mode) =>
  properties(Object.fromEntries(Object.entries({ ...colors, ...shadows }).map(([name, values]) => [name, values[mode]])));
/** Returns the names with their custom properties as values. */
const role = (names, prefix = "") => Object.fromEntries(names.map((name) => [name, `var(--${prefix}${name})`]));

const dark = { "color-scheme": "dark", ...inMode(1) };

/** @type {import("tailwindcss").Config} */
export default {
  theme: {
    extend: { spacing: role(["gutter", "gap", "section", "header", "tabbar"]) },
    screens: { sm: "40rem", md: "48rem", lg: "60rem", xl: "75rem" },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      // On the stage and on codes, the same in both modes.
      white: "#fff",
      black: "#0c1116",
      ...role(Object.keys(colors)),
      ...role([
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
      ]),
    },
    fontFamily: { ...role(["sans", "display", "song"], "font-"), mono: "ui-monospace, Menlo, Consolas, monospace" },
    fontSize: role([...Object.keys(text), "count"], "text-"),
    borderRadius: { none: "0", full: "9999px", ...role(Object.keys(corners), "r-") },
    boxShadow: role(["paper", "pop"], "shadow-"),
    transitionDuration: role(["fast", "base", "slow"]),
    transitionTimingFunction: role(["out", "door"], "ease-"),
  },
  plugins: [
    plugin(({ addBase }) =>
      addBase({
        ":root": {
          "color-scheme": "light",
          ...inMode(0),
          ...properties(text, "text-"),
          ...properties(corners, "r-"),
          ...properties(motion),
        },
        "@media (prefers-color-scheme: dark)": { ':root:not([data-theme="light"])': dark },
        '[data-theme="dark"]': dark,
      }),
    ),
    // The narrow face has narrow spaces, and what stands in the other face within it has its own.
    plugin(({ addUtilities }) =>
      addUtilities({ ".font-display": { "word-spacing": "0.08em" }, ".font-sans": { "word-spacing": "0" } }),
    ),
    // In a low window, such as 1440 x 900 at 200 %, fixed bars leave room for the text.
    plugin(({ addVariant }) => addVariant("low", "@media (max-height: 30rem)")),
    // `tint-d0`: the dominant colour behind a picture.
    plugin(({ matchUtilities }) => matchUtilities({ tint: (color) => ({ "background-color": color }) }, { values: tints })),
  ],
};
