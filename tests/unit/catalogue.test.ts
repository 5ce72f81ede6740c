import { describe, expect, it } from "vitest";
import { catalogue, fill } from "../../i18n/catalogue.ts";

describe("texts with placeholders", () => {
  it.each([
    ["{n} items", { n: 3 }, "3 items"],
    ["{a}{a}{b}", { a: "x", b: "" }, "xx"],
    ["{missing}", {}, "{missing}"],
    ["{a}", { a: "{b}", b: "no" }, "{b}"],
    ["{ a } {", { a: 1 }, "{ a } {"],
  ])("fill replaces the placeholders of %j", (text, values, filled) => {
    expect(fill(text, values)).toBe(filled);
  });

  it("catalogue returns its argument", () => {
    const texts = { "zh-CN": { a: "好" }, "en-US": { a: "Good" } };
    expect(catalogue(texts)).toBe(texts);
  });
});
