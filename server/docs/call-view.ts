import { docs } from "../../i18n/docs.ts";
import { docsCall } from "../../i18n/docs-call.ts";
import { docsCode } from "../../i18n/docs-code.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import { getErrorCodes } from "./errors.ts";
import type { Example } from "./examples.ts";
import { getFields } from "./fields.ts";
import { code, list, pairs } from "./html.ts";
import { toJsonSchema } from "./json-schema.ts";
import type { CallName } from "./operation.ts";
import { names } from "./shapes.ts";

/** A call, closed: its line says what it does, and inside stands everything about it. */
export function callView(name: CallName, call: Call, example: Example | undefined, locale: Locale): string {
  const t = docs[locale];
  const who = call.access === "session" ? `<span class="who">${t.session}</span>` : `<span class="who open">${t.public}</span>`;
  const summary = `<summary><span class="method">${call.method}</span> ${code(call.path)} ${who}<span class="says">${docsCall[locale][name]}</span></summary>`;
  const payload = toJsonSchema(call.payload, names);
  const parts = [
    part(t.payload, getFields(payload, locale)),
    part(t.answer, getFields(toJsonSchema(call.data, names), locale)),
    part(t.refuses, refusalsView(call, locale)),
    example ? part(t.example, exampleView(call, example, locale)) : "",
  ];
  return `<details id="${name}">${summary}<div class="call">${parts.join("")}</div></details>`;
}

const part = (title: string, html: string) => `<h4>${title}</h4>${html}`;

function refusalsView(call: Call, locale: Locale): string {
  const rows = [...getErrorCodes(call), ...call.errors.filter((name) => name === "unavailable")];
  if (rows.length === 0) return `<p class="soft">${docs[locale].empty}</p>`;
  return pairs(rows.map((name) => [code(String(codes[name])), docsCode[locale][name]]));
}

function exampleView({ method, path }: Call, { payload, answer }: Example, locale: Locale): string {
  const t = docs[locale];
  const sent = payload === undefined ? "" : list(`${t.request} ${method} ${path}`, payload);
  return sent + list(`${t.response} ${method} ${path}`, answer);
}
