import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "@valibot/to-json-schema";
import { formatBilingual } from "#i18n/catalogue.ts";
import { docsCall } from "#i18n/docs.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { docsResponseCode } from "#i18n/response-code.ts";
import { maxBodySize } from "#server/http/request.ts";
import type { Call, ServedCall } from "#src/api/call.ts";
import { forward, forwardRequests } from "#src/api/concert.ts";
import type { contract } from "#src/api/contract.ts";
import { codes, type Envelope } from "#src/api/envelope.ts";
import { toJsonSchema } from "./shapes.ts";

/** A recorded call and its response. */
export interface Example {
  payload?: unknown;
  answer: Envelope;
}

type Examples = Partial<Record<string, Record<Locale, Example>>>;

export const examplesFile = join(import.meta.dirname, "examples.json");

/** Reads the examples by the call's name in the table. A test records the calls and writes the file. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesFile, "utf8"));
}

type CodeName = keyof typeof codes;

const isCodeName = (name: string): name is CodeName => Object.hasOwn(codes, name);
export const codeNames = Object.keys(codes).filter(isCodeName);

/** The code of each HTTP status other than 200. */
export const transportErrors = {
  "400": "badParameter",
  "404": "notFound",
  "405": "notAllowed",
  "413": "badParameter",
  "415": "badParameter",
  "429": "tooFrequent",
  "500": "internal",
  "503": "unavailable",
} as const satisfies Record<string, CodeName>;

/** Lists the error codes that a call may return with HTTP 200, the most general first. */
export function getErrorCodes({ access, method, errors }: ServedCall): CodeName[] {
  const session: CodeName[] = access === "session" ? ["sessionInvalid"] : [];
  const payload: CodeName[] = method === "POST" ? ["badParameter"] : [];
  return [...session, ...payload, ...errors.filter((name) => name !== "unavailable")];
}

const integer: JsonSchema = { type: "integer" };
const nullSchema: JsonSchema = { type: "null" };

/** Returns the schema of `data` for an error code. */
function getErrorData(name: CodeName): JsonSchema {
  const objectWith = (field: string, schema: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { [field]: schema },
    required: [field],
  });
  if (name === "badParameter") {
    return { anyOf: [objectWith("fields", { type: "object", additionalProperties: { type: "string" } }), nullSchema] };
  }
  if (name === "tooFrequent") return objectWith("retry_after", integer);
  if (name === "priceChanged") return objectWith("pay_fen", { $ref: "#/components/schemas/Fen" });
  if (name === "internal") return objectWith("request_id", { type: "string" });
  return nullSchema;
}

export type CallName = keyof typeof contract;

/** Converts a call to an operation of OpenAPI. */
export function toOperation(name: CallName, call: ServedCall, example: Record<Locale, Example> | undefined): object {
  const errorNames = getErrorCodes(call);
  const success = createEnvelopeSchema("success", toJsonSchema(call.data));
  const errors = errorNames.map((error) => ({ $ref: `#/components/schemas/${getErrorSchemaName(error)}` }));
  const schema = errors.length > 0 ? { oneOf: [success, ...errors] } : success;
  const examples = example && Object.fromEntries(locales.map((locale) => [locale, { value: example[locale].answer }]));
  return {
    operationId: name,
    ...(call.extension ? { "x-extension": true } : {}),
    tags: [getTag(call)],
    summary: formatBilingual(docsCall, name),
    security: call.access === "session" ? [{ session: [] }] : [{}, { session: [] }],
    parameters: [{ $ref: "#/components/parameters/deviceType" }, { $ref: "#/components/parameters/language" }],
    ...(call.method === "POST" ? { requestBody: createRequestBody(call, example) } : {}),
    responses: {
      "200": {
        description: ["success" as const, ...errorNames]
          .map((code) => `${codes[code]}: ${formatBilingual(docsResponseCode, code)}`)
          .join("\n\n"),
        content: { "application/json": { schema, ...(examples ? { examples } : {}) } },
      },
      ...Object.fromEntries(getStatuses(call).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

/** Adds to the payload of the forwarding call what each target accepts, which the server checks after the caller. */
function toPayloadSchema({ payload, path }: ServedCall): JsonSchema {
  const schema = toJsonSchema(payload);
  if (path !== forward.path) return schema;
  const allOf = Object.entries(forwardRequests()).map(
    ([target, request]): JsonSchema => ({
      anyOf: [
        { properties: { request_url: { not: { const: target } } } },
        { properties: { request_data: toJsonSchema(request) } },
      ],
    }),
  );
  return { ...schema, allOf };
}

/** Examples of both languages have the same payload, except for random values. */
function createRequestBody(call: ServedCall, example: Record<Locale, Example> | undefined): object {
  const { payload } = call;
  const payloadExample = example?.["en-US"].payload;
  return {
    description: `≤ ${maxBodySize} B`,
    required: payload.type !== "optional",
    content: {
      "application/json": {
        schema: toPayloadSchema(call),
        ...(payloadExample === undefined ? {} : { example: payloadExample }),
      },
    },
  };
}

/** Lists the HTTP statuses of a call's path, whatever the method. GET has no body to reject, and 404 is the answer of a server that lacks an extension. */
function getStatuses({ method, extension }: Call): string[] {
  const absent = [...(method === "GET" ? ["400", "413", "415"] : []), ...(extension ? [] : ["404"])];
  return Object.keys(transportErrors).filter((status) => !absent.includes(status));
}

function createEnvelopeSchema(name: CodeName, data: JsonSchema): JsonSchema {
  const properties = { code: { const: codes[name] }, msg: { type: "string" as const, minLength: 1 }, data };
  return { type: "object", properties, required: ["code", "msg", "data"] };
}

/** Returns the name of an error envelope's schema. */
export const getErrorSchemaName = (name: CodeName) => `Refusal${codes[name]}`;

/** Returns the tag of a call: `/v1/mall/createOrder` belongs to `mall`. */
export const getTag = ({ path }: Call) => path.split("/")[2] ?? "";

export const createErrorSchema = (name: CodeName): JsonSchema => ({
  description: formatBilingual(docsResponseCode, name),
  ...createEnvelopeSchema(name, getErrorData(name)),
});
