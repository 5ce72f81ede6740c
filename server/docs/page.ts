import { html } from "hono/html";
import { fill } from "#i18n/catalogue.ts";
import { docs } from "#i18n/docs.ts";
import type { Locale } from "#i18n/locale.ts";
import { docsFault, docsResponseCode } from "#i18n/response-code.ts";
import type { Config } from "#server/config/config.ts";
import { getPagePolicy, type HtmlContent, renderHtmlPage } from "#server/http/html-page.ts";
import { codes } from "#src/api/envelope.ts";
import { codeBlock, definitionList, inlineCode, renderCall, renderShape } from "./call.ts";
import { calls, getLimits } from "./document.ts";
import { codeNames, getTag, readExamples } from "./operation.ts";
import { createShapeSchemas } from "./shapes.ts";

export const docsPolicy = getPagePolicy("none");

/** Renders the contract as one HTML page. */
export function renderDocsPage(config: Config, locale: Locale): HtmlContent {
  const t = docs[locale];
  const other: Locale = locale === "zh-CN" ? "en-US" : "zh-CN";
  const bar = html`<header><a href="${config.PUBLIC_SITE_ORIGIN ?? "/"}">← ${t.home}</a><a href="?lang=${other}" lang="${other}">${other === "zh-CN" ? "中文" : "English"}</a></header>`;
  const lead = html`<h1>${t.title}</h1><p class="lead">${fill(t.lead, { n: calls.length })}</p><p><a class="go" href="/openapi.json"><span>${t.machine}</span><span>/openapi.json</span></a></p>`;
  const sections = [
    section("envelope", t.envelope, html`<p>${t.envelopeText}</p>${codeBlock(t.envelope, { code: 1, msg: "…", data: {} })}`),
    section("headers", t.headers, renderHeaders(locale)),
    section("calls", t.calls, html`<p class="soft">${t.cut}</p>${renderCalls(locale)}`),
    section("codes", t.codes, renderCodes(locale)),
    section("limits", t.limits, renderLimits(config, locale)),
    section("shapes", t.shapes, renderShapes(locale)),
  ];
  return renderHtmlPage({ locale, title: t.title, body: html`${bar}<main>${lead}${sections}</main>` });
}

const section = (id: string, title: string, content: HtmlContent) =>
  html`<section id="${id}"><h2>${title}</h2>${content}</section>`;

function renderHeaders(locale: Locale): HtmlContent {
  const t = docs[locale];
  return definitionList([
    [inlineCode("device-type"), t.deviceType],
    [inlineCode("token"), t.token],
    [inlineCode("Accept-Language"), t.language],
  ]);
}

/** Renders the calls grouped by tag. */
function renderCalls(locale: Locale): HtmlContent[] {
  const examples = readExamples();
  const tags = [...new Set(calls.map(([, call]) => getTag(call)))];
  return tags.map((tag) => {
    const tagCalls = calls.filter(([, call]) => getTag(call) === tag);
    return html`<h3>${tag}</h3>${tagCalls.map(([name, call]) => renderCall(name, call, examples[name]?.[locale], locale))}`;
  });
}

function renderCodes(locale: Locale): HtmlContent {
  const rows = codeNames.map((name): [HtmlContent, string] => [inlineCode(codes[name]), docsResponseCode[locale][name]]);
  const statuses = Object.entries(docsFault[locale]).map(([status, description]): [HtmlContent, string] => [
    inlineCode(status),
    description,
  ]);
  return html`${definitionList(rows)}<h3>${docs[locale].faults}</h3>${definitionList(statuses)}`;
}

function renderLimits(config: Config, locale: Locale): HtmlContent {
  const t = docs[locale];
  const number = new Intl.NumberFormat(locale);
  return definitionList(getLimits(config).map(({ about, value }) => [t[about], value ? number.format(value) : t.none]));
}

function renderShapes(locale: Locale): HtmlContent {
  return html`${Object.entries(createShapeSchemas()).map(([name, schema]) => renderShape(name, schema, locale))}`;
}
