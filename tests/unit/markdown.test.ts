import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { load } from "js-yaml";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { locales } from "#i18n/locale.ts";
import { finishHtml } from "#src/content/finish-html.ts";
import { parseMarkup } from "#src/content/markup.ts";
import { toParagraphs } from "#src/content/plain-text.ts";
import { root } from "#tests/support/rules/sources.ts";

const paragraph = v.strictObject({
  text: v.string(),
  locale: v.optional(v.picklist(locales), "zh-CN"),
  html: v.optional(v.string()),
  /** Faults and advice, each with its line. */
  remarks: v.optional(v.array(v.string()), []),
});
const paragraphs = v.parse(v.array(paragraph), load(readFileSync(join(root, "tests/fixtures/paragraphs.yaml"), "utf8")));

describe("a paragraph as people write it", () => {
  it.each(paragraphs)("$text is rendered right, or named with its line and a remedy", ({ text, locale, html, remarks }) => {
    const { faults, advice, render } = parseMarkup(text, locale);
    expect([...faults, ...advice].map(({ line, message }) => `${line}: ${message}`)).toEqual(remarks);
    if (faults.length === 0) expect(render()).toBe(html?.trimEnd());
  });
});

it("whatever the check of a text calls faultless is rendered", { tags: ["full"] }, async () => {
  const sign = fc.constantFrom(
    ...'**|*|__|~~|`|[|](|]: |)|![|<|>|&|\\|\n|\n\n|    |# |> |- |1. |[^1]|[^1]: || a |\n|-:|-|\n|---|https://a.cn/|www.a.cn|<b>|</b>|<div>\n|<td |灯|，|　|\u00a0|“|"|a|1|👨‍👩‍👧'.split(
      "|",
    ),
    "|",
    "| a | b |\n| -: | :- |\n| 1 | 2 |\n",
  );
  const text = fc.oneof(
    fc.array(sign, { maxLength: 60 }).map((signs) => signs.join("")),
    fc.string({ unit: "binary" }),
  );
  const check = fc.asyncProperty(text, fc.constantFrom(...locales), async (text, locale) => {
    const { faults, render } = parseMarkup(text, locale);
    fc.pre(faults.length === 0);
    await finishHtml(render(), "https://shop.example", "en-US");
    toParagraphs(text);
  });
  await fc.assert(check, { numRuns: 500 });
});
