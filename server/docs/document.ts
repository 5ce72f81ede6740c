import { fill, formatBilingual } from "#i18n/catalogue.ts";
import { docs } from "#i18n/docs.ts";
import { locales } from "#i18n/locale.ts";
import { docsFault } from "#i18n/response-code.ts";
import type { Config } from "#server/config/config.ts";
import { maxBodySize } from "#server/http/request.ts";
import type { ServedCall } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import {
  type CallName,
  codeNames,
  createErrorSchema,
  getErrorSchemaName,
  getTag,
  readExamples,
  toOperation,
  transportErrors,
} from "./operation.ts";
import { createShapeSchemas } from "./shapes.ts";

interface Limit {
  name: string;
  about: keyof (typeof docs)["en-US"];
  /** 0: unlimited. */
  value: number;
}

/** Lists this server's limits. */
export function getLimits(config: Config): Limit[] {
  return [
    { name: "body_bytes", about: "limitBody", value: maxBodySize },
    { name: "calls_per_minute", about: "limitFlood", value: config.FLOOD_PER_MINUTE },
    { name: "code_resend_seconds", about: "limitResend", value: config.CODE_RESEND_SECONDS },
    { name: "code_lifetime_seconds", about: "limitLifetime", value: config.CODE_LIFETIME_SECONDS },
    { name: "code_tries", about: "limitTries", value: config.CODE_TRIES },
    { name: "code_tries_elsewhere", about: "limitTriesElsewhere", value: config.CODE_TRIES_ELSEWHERE },
    { name: "codes_per_hour", about: "limitHour", value: config.CODES_PER_HOUR },
    { name: "codes_per_day", about: "limitDay", value: config.CODES_PER_DAY },
    { name: "codes_per_hour_per_address", about: "limitNetwork", value: config.CODES_PER_HOUR_PER_IP },
    { name: "codes_per_hour_per_56", about: "limit56", value: config.CODES_PER_HOUR_PER_56 },
    { name: "codes_per_hour_per_48", about: "limit48", value: config.CODES_PER_HOUR_PER_48 },
  ];
}

const isCallName = (name: string): name is CallName => Object.hasOwn(contract, name);
export const calls: [CallName, ServedCall][] = Object.entries<ServedCall>(contract).flatMap(([name, call]) =>
  isCallName(name) ? [[name, call] satisfies [CallName, ServedCall]] : [],
);

/** Creates the contract's OpenAPI 3.1 document from its table and schemas, with this server's limits. Its `servers` depend on the request. */
export function createOpenApiDocument(config: Config): object {
  const examples = readExamples();
  const count = { n: calls.length };
  const errorNames = codeNames.filter((name) => name !== "success" && name !== "notActivated");
  return {
    openapi: "3.1.0",
    info: {
      title: formatBilingual(docs, "title"),
      version: "1.0.0",
      license: { name: "MIT", identifier: "MIT" },
      description: [
        locales.map((locale) => fill(docs[locale].lead, count)).join(" / "),
        formatBilingual(docs, "envelopeText"),
        ...getLimits(config).map(
          ({ about, value }) => `- ${formatBilingual(docs, about)}: ${value || formatBilingual(docs, "none")}`,
        ),
      ].join("\n\n"),
    },
    "x-limits": Object.fromEntries(getLimits(config).map(({ name, value }) => [name, value])),
    tags: [...new Set(calls.map(([, call]) => getTag(call)))].map((name) => ({ name })),
    paths: Object.fromEntries(
      calls.map(([name, call]) => [call.path, { [call.method.toLowerCase()]: toOperation(name, call, examples[name]) }]),
    ),
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "header", name: "token", description: formatBilingual(docs, "token") },
      },
      parameters: {
        deviceType: createHeader("device-type", formatBilingual(docs, "deviceType"), ["web"]),
        language: createHeader("Accept-Language", formatBilingual(docs, "language"), [...locales]),
      },
      responses: Object.fromEntries(
        Object.entries(transportErrors).map(([status, name]) => [
          status,
          createErrorResponse(status, getErrorSchemaName(name)),
        ]),
      ),
      schemas: {
        ...createShapeSchemas(),
        ...Object.fromEntries(errorNames.map((name) => [getErrorSchemaName(name), createErrorSchema(name)])),
      },
    },
  };
}

const createHeader = (name: string, description: string, values: string[]) => ({
  name,
  in: "header",
  description,
  schema: { type: "string", examples: values },
});

/** Headers of a response by its status. */
const headers: Record<string, object> = {
  "405": { Allow: { schema: { type: "string" } } },
  "429": { "Retry-After": { schema: { type: "integer" }, description: "s" } },
  "503": { "Retry-After": { schema: { type: "integer" }, description: "s" } },
};

function createErrorResponse(status: string, schemaName: string): object {
  return {
    description: isDescribed(status) ? formatBilingual(docsFault, status) : status,
    ...(headers[status] && { headers: headers[status] }),
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schemaName}` } } },
  };
}

const isDescribed = (status: string): status is keyof (typeof docsFault)["en-US"] => Object.hasOwn(docsFault["en-US"], status);
