import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { mobile, username, verificationCode } from "#src/api/call.ts";

describe("a mobile number", () => {
  it.each([
    "13800138000",
    "138 0013 8000",
    "138-0013-8000",
    "1380-013-8000",
    "1 38 0013 8000",
    "1-3-8-0-0-1-3-8-0-0-0",
    "+8613800138000",
    "+86 138 0013 8000",
    "(+86) 138-0013-8000",
    "+86-1-380-013-8000",
    "008613800138000",
    "8613800138000",
    "86 138 0013 8000",
    "86-13800138000",
    "１３８００１３８０００",
    "＋８６１３８００１３８０００",
    "（＋８６）１３８　００１３　８０００",
    "\u202d13800138000\u202c",
    "\u2068+86\u00a0138\u20110013\u20118000\u2069",
    "\ufeff138\u200b0013\u200b8000",
    "138–0013—8000",
    "138−0013ー8000",
    "138.0013.8000",
    "138·0013・8000",
    "138。0013．8000",
    "【138】0013〔8000〕",
    "𝟏𝟑𝟖𝟎𝟎𝟏𝟑𝟖𝟎𝟎𝟎",
  ])("is read however it is written: %j", (typed) => {
    expect(v.parse(mobile, typed)).toBe("13800138000");
    expect(v.parse(username, ` ${typed} `)).toBe("13800138000");
  });

  it.each([
    "+14155552671",
    "+1 415 555 2671",
    "＋１（４１５）５５５－２６７１",
    "\u202d+1 415 555 2671\u202c",
    "1-415-555-2671",
    "1 (415) 555-2671",
    "1(415)555-2671",
    "1.415.555.2671",
    "1\u2011415\u2011555\u20112671",
    "１－４１５－５５５－２６７１",
    "(1) 415 555 2671",
    "1 4155552671",
    "001 415 555 2671",
    "+852 9123 4567",
    "+853 6612 3456",
    "00886 912 345 678",
    "+81 90-1234-5678",
    "(+44) 7700 900123",
  ])("of another country is refused as no number of the mainland: %j", (typed) => {
    for (const schema of [mobile, username]) {
      expect(v.safeParse(schema, typed).issues?.map(({ message }) => message)).toEqual(["mainland"]);
    }
  });

  it.each([
    ["", "required"],
    [" - ", "required"],
    ["1380013800", "mobile"],
    ["138001380001", "mobile"],
    ["12800138000", "mobile"],
    ["(415) 555-2671", "mobile"],
    ["9123 4567", "mobile"],
    ["+86 10 8888 8888", "mobile"],
    ["86138001380001", "mobile"],
    ["1380013800O", "mobile"],
    ["138/0013/8000", "mobile"],
    ["138001\u000038000", "mobile"],
    ["138".repeat(14), "mobile"],
  ])("is refused: %j as %s", (typed, reason) => {
    expect(v.safeParse(mobile, typed).issues?.[0]?.message).toBe(reason);
  });

  it("typed without separators is one of the mainland, also one that an American could mean", () => {
    expect(v.parse(mobile, "14155552671")).toBe("14155552671");
  });

  it("is never read from a text with other digits, in whatever spelling", () => {
    const sign = fc.constantFrom(..."0138６＋+-－. （）\u202d\u2011".split(""));
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 40 }), (typed) => {
        const parsed = v.safeParse(mobile, typed);
        if (parsed.success)
          expect(typed.normalize("NFKC").replace(/\D/g, "")).toMatch(new RegExp(`^(0{0,2}86)?${parsed.output}$`));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a login code", () => {
  it.each([
    "123456",
    " 123456 ",
    "123 456",
    "123-456",
    "１２３４５６",
    "１２３　４５６",
    "\u202d123456\u202c",
    "123.456",
    "1 2 3 4 5 6",
  ])("is read however it is written: %j", (typed) => {
    expect(v.parse(verificationCode, typed)).toBe("123456");
  });

  it.each(["", "12345", "1234567", "12345a", "+123456", "一二三四五六"])("is refused: %j", (typed) => {
    expect(v.safeParse(verificationCode, typed).issues?.[0]?.message).toBe("code");
  });
});
