import { describe, expect, it } from "vitest";
import { aboutSchema, eventSchema, newsSchema } from "../../src/content/schema.ts";
import { textsOf } from "../support/texts.ts";

const news = textsOf("news", newsSchema);
const stories = [...textsOf("event", eventSchema), ...news];
const texts = [...stories, ...textsOf("about", aboutSchema)].map((one) => ({
  ...one,
  whole: [JSON.stringify(one.data), one.body].join("\n"),
}));
const han = /\p{Script=Han}/gu;

/** What the software does not do, and a text must therefore not promise. */
const promises: Record<string, RegExp> = {
  "zh-CN":
    /票价|票档|门票|购票|售票|开票|抢票|余票|看台|选座|候补|第\s*[\d,]+\s*位|提前\s*\d+\s*小时|逐一通知|提醒你|通知你|[七7]\s*天无理由|可退|随时退[票款货]|现场自取|到场取|[ABC]\s*口|会给你发|我们会告诉/,
  "en-US":
    /\btickets?\b|\bticketing\b|\bwait-?list|\bpre-?sale|\bbalcony (seats?|places?)\b|\btiers?\b|\bnumber \d{3}|\bhours early\b|\bearly (booking|access|entry)\b|\breminders?\b|\bwe('|’)?(ll| will) (tell|remind|notify|let|send|text|email|nudge) you|\bnotify you\b|\brefundable\b|\bmoney back\b|\bpick(ed)? (it )?up at the (show|venue|door)\b|\bgate [ABC]\b/i,
};

describe("the voice", () => {
  it.each(texts)("$path does not shout", ({ whole }) => {
    expect(whole).not.toMatch(/[!！]/);
  });

  it.each(texts)("$path promises nothing that the software does not do", ({ locale, whole }) => {
    expect(promises[locale]?.exec(whole)?.[0]).toBeUndefined();
  });

  it.each(texts.filter(({ locale }) => locale === "en-US"))("$path is English to the last character", ({ whole }) => {
    expect(whole).not.toMatch(/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u);
    expect(whole).not.toMatch(
      /\b(colour|centre|theatre(?!"|\b.{0,12} is hollow)|metre|favour|neighbour|grey|programme)s?\b(?!":)/,
    );
  });

  it.each(texts.filter(({ locale }) => locale === "zh-CN"))("$path keeps Chinese punctuation", ({ body }) => {
    expect(body).not.toMatch(/\p{Script=Han}[,;?](?!\d)|[“”"]/u);
    expect(body).not.toMatch(/您/);
  });

  it.each(news.filter(({ locale }) => locale === "zh-CN"))("$path is worth a reader's minute", ({ body }) => {
    const length = body.match(han)?.length ?? 0;
    expect(length).toBeGreaterThanOrEqual(250);
    expect(length).toBeLessThanOrEqual(600);
  });

  it("quotes someone, makes a list and takes a breath here and there", () => {
    const chinese = news.filter(({ locale }) => locale === "zh-CN");
    expect(chinese.filter(({ body }) => /^> /m.test(body)).length).toBeGreaterThanOrEqual(3);
    expect(chinese.filter(({ body }) => /^(- |1\. )/m.test(body)).length).toBeGreaterThanOrEqual(3);
    expect(chinese.filter(({ body }) => /^## /m.test(body)).length).toBeGreaterThanOrEqual(3);
  });

  it("has summaries that fit a search result", () => {
    for (const { data, locale } of stories) expect(data.summary.length).toBeLessThanOrEqual(locale === "zh-CN" ? 60 : 160);
  });
});
