import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fill } from "../../i18n/catalogue.ts";
import { docs } from "../../i18n/docs.ts";
import { docsCode, docsFault } from "../../i18n/docs-code.ts";
import type { Locale } from "../../i18n/locale.ts";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config/config.ts";
import { callView } from "./call-view.ts";
import { calls } from "./document.ts";
import { codeNames } from "./errors.ts";
import { readExamples } from "./examples.ts";
import { getShape } from "./fields.ts";
import { code, list, pairs } from "./html.ts";
import { getLimits } from "./limits.ts";
import { getTag } from "./operation.ts";
import { shapeSchemas } from "./shapes.ts";

const style = readFileSync(join(import.meta.dirname, "docs.css"), "utf8");

export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The contract for people to read: one page of HTML with no script in it, and nothing that is loaded. */
export function docsPage(config: Config, locale: Locale): string {
  const t = docs[locale];
  const other: Locale = locale === "zh-CN" ? "en-US" : "zh-CN";
  const head = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${t.title}</title><style>${style}</style></head>`;
  const bar = `<header><a href="${config.PUBLIC_SITE_ORIGIN ?? "/"}">← ${t.home}</a><a href="?lang=${other}" lang="${other}">${other === "zh-CN" ? "中文" : "English"}</a></header>`;
  const lead = `<h1>${t.title}</h1><p class="lead">${fill(t.lead, { n: calls.length })}</p><p><a class="go" href="/openapi.json"><span>${t.machine}</span><span>/openapi.json</span></a></p>`;
  const sections = [
    section("envelope", t.envelope, `<p>${t.envelopeText}</p>${list(t.envelope, { code: 1, msg: "…", data: {} })}`),
    section("headers", t.headers, headersView(locale)),
    section("calls", t.calls, `<p class="soft">${t.cut}</p>${callsView(locale)}`),
    section("codes", t.codes, codesView(locale)),
    section("limits", t.limits, limitsView(config, locale)),
    section("shapes", t.shapes, shapesView(locale)),
  ];
  return `${head}<body>${bar}<main>${lead}${sections.join("")}</main></body></html>\n`;
}

const section = (id: string, title: string, html: string) => `<section id="${id}"><h2>${title}</h2>${html}</section>`;

function headersView(locale: Locale): string {
  const t = docs[locale];
  return pairs([
    [code("device-type"), t.deviceType],
    [code("token"), t.token],
    [code("Accept-Language"), t.language],
  ]);
}

/** Under the words that their paths begin with. */
function callsView(locale: Locale): string {
  const examples = readExamples();
  const tags = [...new Set(calls.map(([, call]) => getTag(call)))];
  return tags
    .map((tag) => {
      const own = calls.filter(([, call]) => getTag(call) === tag);
      return `<h3>${tag}</h3>${own.map(([name, call]) => callView(name, call, examples[name]?.[locale], locale)).join("")}`;
    })
    .join("");
}

function codesView(locale: Locale): string {
  const rows = codeNames.map((name): [string, string] => [code(String(codes[name])), docsCode[locale][name]]);
  const faults = Object.entries(docsFault[locale]).map(([status, says]): [string, string] => [code(status), says]);
  return `${pairs(rows)}<h3>${docs[locale].faults}</h3>${pairs(faults)}`;
}

function limitsView(config: Config, locale: Locale): string {
  const t = docs[locale];
  const number = new Intl.NumberFormat(locale);
  return pairs(getLimits(config).map(({ about, value }) => [t[about], value ? number.format(value) : t.none]));
}

function shapesView(locale: Locale): string {
  return Object.entries(shapeSchemas())
    .map(([name, schema]) => getShape(name, schema, locale))
    .join("");
}
