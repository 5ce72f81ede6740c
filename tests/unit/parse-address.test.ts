import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { addressAddPayload } from "#src/api/address.ts";
import { parseAddress } from "#src/features/address/parse-address.ts";
import { repeatedTexts } from "#tests/support/contract/payloads.ts";

const addressText = "广东省深圳市南山区科技园南路8号2栋1201室";

describe("a pasted address", () => {
  it.each([
    ["张三 13800138000 13900139000 广东省深圳市", "13800138000", "13900139000"],
    ["张三 0755-26001234 广东省深圳市", "", "0755-26001234"],
    ["订单号 2138001380001 张三 广东省深圳市", "", "2138001380001"],
    ["张三 13800138000 广东省深圳市 邮编：518000", "13800138000", "518000"],
  ])("keeps other numbers in the address: %j", (pasted, mobile, rest) => {
    expect(parseAddress(pasted)).toMatchObject({ mobile });
    expect(parseAddress(pasted).address).toContain(rest);
  });

  const letters = (text: string) => [...text.normalize("NFKC")].filter((sign) => /[\p{L}\p{N}]/u.test(sign)).sort();
  const all = ({ name, mobile, extension, address }: ReturnType<typeof parseAddress>) =>
    letters(name + mobile + extension + address);

  it("never throws for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const { name, mobile } = parseAddress(text);
        expect(name.length).toBeLessThanOrEqual(text.length);
        expect(mobile).toMatch(/^(1[3-9]\d{9})?$/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(Object.entries(repeatedTexts))(
    "with 64 KB of %s is returned unchanged within a second",
    (_name, filler) => {
      const long = filler.repeat(64 * 1024);
      for (const text of [`张三${long}x`, `姓名：张三 a${long}x`, `张三 13800138000 ${addressText}，a${long}x`]) {
        expect(parseAddress(text)).toMatchObject({ name: "", mobile: "", address: text });
      }
    },
    1_000,
  );

  const word = fc.constantFrom(
    "张三",
    "广东省",
    "深圳市",
    "8号",
    "Zhang",
    "Room 3",
    "1201",
    "13800138000",
    "、",
    "欧阳",
    "路",
    "x",
    "１２",
  );
  const gap = fc.constantFrom(" ", "", "\n", "，", ",", ";", "\t", " - ", "（", "）", "/", "。");
  it("loses no letter and no digit", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 14 }), (parts) => {
        const text = parts.flat().join("");
        expect(all(parseAddress(text))).toEqual(letters(text));
      }),
      { numRuns: 5000 },
    );
  });

  it("is valid for saving whatever its line breaks", () => {
    const { detail } = addressAddPayload().entries;
    for (const gap of ["\n", "\r\n", "\t", " \n  "]) {
      const { address } = parseAddress(["张三", "13800138000", "广东省深圳市南山区", "科技园路1号", "3栋502"].join(gap));
      expect(v.parse(detail, address)).toBe("广东省深圳市南山区 科技园路1号 3栋502");
    }
  });

  it("loses no text after labels, in any order", () => {
    const named = fc.constantFrom("收货人", "姓名", "联系人");
    const label = fc.constantFrom("手机号码", "电话", "联系方式");
    const placed = fc.constantFrom("地址", "所在地区", "详细地址");
    const value = fc.constantFrom("张三", "13800138000", addressText, "Zhang San", "门卫代收 2 号", "");
    const line = fc.tuple(fc.oneof(named, label, placed), fc.constantFrom("：", ":", ": "), value);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "，", " "), (lines, gap) => {
        const text = lines.map((parts) => parts.join("")).join(gap);
        expect(all(parseAddress(text))).toEqual(letters(lines.map(([, , rest]) => rest).join("")));
      }),
      { numRuns: 3000 },
    );
  });
});
