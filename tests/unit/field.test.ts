import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { text } from "../../src/api/field.ts";

describe("a text field", () => {
  it.each([
    ["  a  ", "a"],
    ["a  b", "a  b"],
    ["a\nb", "a b"],
    ["a \r\n \t b", "a b"],
    ["a\u3000\u3000b", "a\u3000\u3000b"],
    ["a\u3000\nb", "a b"],
  ])("parses %j as %j", (typed, read) => {
    expect(v.parse(text(1, 20), typed)).toBe(read);
  });

  it("collapses white space around line breaks like the regular expression", () => {
    const sign = fc.constantFrom(" ", "\t", "\n", "\r", "\u3000", "\u2028", "a", "甲", "-");
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 40 }), (typed) => {
        expect(v.parse(text(0, 40), typed)).toBe(typed.trim().replace(/\s*[\n\r\t]\s*/g, " "));
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects more than 1,000 characters before trimming", () => {
    expect(v.safeParse(text(1, 20), `a${" ".repeat(999)}`).success).toBe(true);
    expect(v.safeParse(text(1, 20), `a${" ".repeat(1000)}`).issues?.[0]?.message).toBe("tooLong");
  });
});
