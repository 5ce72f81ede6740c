import { fill } from "../../i18n/catalogue.ts";
import { docs } from "../../i18n/docs.ts";
import { docsFault } from "../../i18n/docs-code.ts";
import { locales } from "../../i18n/locale.ts";
import type { Call } from "../../src/api/call.ts";
import { table } from "../../src/api/table.ts";
import type { Config } from "../config/config.ts";
import { bilingual } from "./bilingual.ts";
import { codeNames, transportErrors } from "./errors.ts";
import { readExamples } from "./examples.ts";
import { getLimits } from "./limits.ts";
import { type CallName, errorSchema, getTag, toErrorShape, toOperation } from "./operation.ts";
import { shapeSchemas } from "./shapes.ts";

export const isCallName = (name: string): name is CallName => Object.hasOwn(table, name);
export const calls: [CallName, Call][] = Object.entries<Call>(table).flatMap(([name, call]) =>
  isCallName(name) ? [[name, call] satisfies [CallName, Call]] : [],
);

/** The contract as an OpenAPI 3.1 document: all of it from the table and its schemas, with this host's own limits. */
export function openApiDocument(config: Config): object {
  const examples = readExamples();
  const count = { n: calls.length };
  const refusals = codeNames.filter((name) => name !== "success" && name !== "notActivated");
  return {
    openapi: "3.1.0",
    info: {
      title: bilingual(docs, "title"),
      version: "1.0.0",
      description: [
        locales.map((locale) => fill(docs[locale].lead, count)).join(" / "),
        bilingual(docs, "envelopeText"),
        ...getLimits(config).map(({ about, value }) => `- ${bilingual(docs, about)}: ${value || bilingual(docs, "none")}`),
      ].join("\n\n"),
    },
    "x-limits": Object.fromEntries(getLimits(config).map(({ name, value }) => [name, value])),
    servers: [{ url: "/" }],
    tags: [...new Set(calls.map(([, call]) => getTag(call)))].map((name) => ({ name })),
    paths: Object.fromEntries(
      calls.map(([name, call]) => [call.path, { [call.method.toLowerCase()]: toOperation(name, call, examples[name]) }]),
    ),
    components: {
      securitySchemes: { session: { type: "apiKey", in: "header", name: "token", description: bilingual(docs, "token") } },
      parameters: {
        deviceType: header("device-type", bilingual(docs, "deviceType"), ["web"]),
        language: header("Accept-Language", bilingual(docs, "language"), [...locales]),
      },
      responses: Object.fromEntries(
        Object.entries(transportErrors).map(([status, name]) => [status, faultOf(status, toErrorShape(name))]),
      ),
      schemas: {
        ...shapeSchemas(),
        ...Object.fromEntries(refusals.map((name) => [toErrorShape(name), errorSchema(name)])),
      },
    },
  };
}

const header = (name: string, description: string, values: string[]) => ({
  ...{ name, in: "header", description },
  schema: { type: "string", examples: values },
});

function faultOf(status: string, shape: string): object {
  const retry = { "Retry-After": { schema: { type: "integer" }, description: "s" } };
  return {
    description: isFault(status) ? bilingual(docsFault, status) : status,
    ...(status === "429" ? { headers: retry } : {}),
    content: { "application/json": { schema: { $ref: `#/components/schemas/${shape}` } } },
  };
}

const isFault = (status: string): status is keyof (typeof docsFault)["en-US"] => Object.hasOwn(docsFault["en-US"], status);
