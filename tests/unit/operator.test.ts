import { describe, expect, it } from "vitest";
import { getContact, getRegistrations } from "../../src/layouts/operator-links.ts";

describe("the operator's contact", () => {
  it.each([
    ["hello@entrance.example", "mailto:hello@entrance.example"],
    ["+86 21 6000 0000", "tel:+862160000000"],
    ["https://entrance.example/contact", "https://entrance.example/contact"],
    ["上海市徐汇区龙腾大道 1 号", null],
    ["javascript:alert(1)", null],
  ])("links %s", (text, href) => {
    expect(getContact({ contact: ` ${text} ` })).toEqual({ text, href });
  });

  it.each([undefined, "", "  "])("is hidden when unset: %j", (value) => {
    expect(getContact(value === undefined ? {} : { contact: value })).toBeNull();
  });
});

describe("record numbers", () => {
  it("are hidden when unset", () => {
    expect(getRegistrations({ icp: "", security_record: " " })).toEqual([]);
    expect(getRegistrations({})).toEqual([]);
  });

  it("link to their registers", () => {
    expect(getRegistrations({ icp: "京ICP证000001号", security_record: "京公网安备11010502030143号" })).toEqual([
      { text: "京ICP证000001号", href: "https://beian.miit.gov.cn/" },
      { text: "京公网安备11010502030143号", href: "https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143" },
    ]);
  });
});
