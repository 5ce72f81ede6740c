import { describe, expect, it } from "vitest";
import { type Accent, getContrast, grounds, toAccentRules } from "../../src/lib/accent.ts";

/** Returns the custom properties of the rule with this selector. */
function parseRule(css: string, selector: string): Record<string, string> {
  const body = css.split(`${selector}{`)[1]?.split("}")[0] ?? "";
  return Object.fromEntries(Array.from(body.matchAll(/--([\w-]+):(#[\da-f]{3,6})/g), ([, name = "", hex = ""]) => [name, hex]));
}

const accents: Accent[] = [
  { light: "#00774a", dark: "#2be38e" },
  { light: "#b3123b", dark: "#ff6f91" },
  { light: "#5b21b6", dark: "#a78bfa" },
  // Just readable on their grounds.
  { light: "#6b6b6b", dark: "#7b7b7b" },
  { light: "#767100", dark: "#8d6bff" },
];

describe("the colours that follow from a shop's accent", () => {
  it("are readable in both modes, whatever the accent", () => {
    for (const accent of accents) {
      expect(getContrast(accent.light, grounds.light)).toBeGreaterThanOrEqual(4.5);
      expect(getContrast(accent.dark, grounds.dark)).toBeGreaterThanOrEqual(4.5);
      const css = toAccentRules(accent);
      for (const selector of [":root", "[data-theme=dark]"]) {
        const tokens = parseRule(css, selector);
        const pairs = [
          ["on-accent", "accent"],
          ["on-accent", "accent-hover"],
          ["accent-ink", "wash"],
          ["on-sign", "sign"],
        ] as const;
        for (const [text, ground] of pairs)
          expect(getContrast(tokens[text] ?? "", tokens[ground] ?? ""), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        expect(getContrast(tokens["sign-2"] ?? "", tokens.sign ?? "")).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it("are set for the device's dark mode and for a forced one alike", () => {
    const css = toAccentRules({ light: "#5b21b6", dark: "#a78bfa" });
    expect(parseRule(css, ":root:not([data-theme=light])")).toEqual(parseRule(css, "[data-theme=dark]"));
    expect(parseRule(css, ":root").accent).toBe("#5b21b6");
    expect(parseRule(css, "[data-theme=dark]").accent).toBe("#a78bfa");
  });
});
