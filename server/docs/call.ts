import { html } from "hono/html";
import { docs, docsCall } from "../../i18n/docs.ts";
import { docsResponseCode } from "../../i18n/docs-response-code.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import type { HtmlContent } from "../http/html-page.ts";
import type { Example } from "./examples.ts";
import { codeBlock, definitionList, inlineCode, renderFields } from "./fields.ts";
import type { CallName } from "./operation.ts";
import { getErrorCodes } from "./operation.ts";
import { toJsonSchema } from "./shapes.ts";

/** Renders a call as a collapsed `<details>`: its summary, payload, response, error codes and example. */
export function renderCall(name: CallName, call: Call, example: Example | undefined, locale: Locale): HtmlContent {
  const t = docs[locale];
  const access =
    call.access === "session" ? html`<span class="who">${t.session}</span>` : html`<span class="who open">${t.public}</span>`;
  const summary = html`<summary><span class="method">${call.method}</span> ${inlineCode(call.path)} ${access}<span class="says">${docsCall[locale][name]}</span></summary>`;
  const payload = toJsonSchema(call.payload);
  const sections = [
    section(t.payload, renderFields(payload, locale)),
    section(t.answer, renderFields(toJsonSchema(call.data), locale)),
    section(t.refuses, renderErrorCodes(call, locale)),
    example ? section(t.example, renderExample(call, example, locale)) : "",
  ];
  return html`<details id="${name}">${summary}<div class="call">${sections}</div></details>`;
}

const section = (title: string, content: HtmlContent) => html`<h4>${title}</h4>${content}`;

function renderErrorCodes(call: Call, locale: Locale): HtmlContent {
  const rows = [...getErrorCodes(call), ...call.errors.filter((name) => name === "unavailable")];
  if (rows.length === 0) return html`<p class="soft">${docs[locale].empty}</p>`;
  return definitionList(rows.map((name) => [inlineCode(codes[name]), docsResponseCode[locale][name]]));
}

function renderExample({ method, path }: Call, { payload, answer }: Example, locale: Locale): HtmlContent {
  const t = docs[locale];
  const request = payload === undefined ? "" : codeBlock(`${t.request} ${method} ${path}`, payload);
  return html`${request}${codeBlock(`${t.response} ${method} ${path}`, answer)}`;
}
