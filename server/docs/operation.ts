import { docsCall } from "../../i18n/docs-call.ts";
import { docsCode } from "../../i18n/docs-code.ts";
import { type Locale, locales } from "../../i18n/locale.ts";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import type { table } from "../../src/api/table.ts";
import { maxBody } from "../http/body.ts";
import { bilingual } from "./bilingual.ts";
import { type CodeName, getErrorCodes, getErrorData, transportErrors } from "./errors.ts";
import type { Example } from "./examples.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { names } from "./shapes.ts";

export type CallName = keyof typeof table;

/** One call as an operation of OpenAPI. */
export function toOperation(name: CallName, call: Call, example: Record<Locale, Example> | undefined): object {
  const refusals = getErrorCodes(call);
  const success = envelopeSchema("success", toJsonSchema(call.data, names));
  const schema = {
    oneOf: [success, ...refusals.map((refusal) => ({ $ref: `#/components/schemas/${toErrorShape(refusal)}` }))],
  };
  const answers = example && Object.fromEntries(locales.map((locale) => [locale, { value: example[locale].answer }]));
  return {
    operationId: name,
    tags: [getTag(call)],
    summary: bilingual(docsCall, name),
    security: call.access === "session" ? [{ session: [] }] : [{}, { session: [] }],
    parameters: [{ $ref: "#/components/parameters/deviceType" }, { $ref: "#/components/parameters/language" }],
    ...(call.method === "POST" ? { requestBody: bodyOf(call, example) } : {}),
    responses: {
      "200": {
        description: ["success" as const, ...refusals].map((one) => `${codes[one]}: ${bilingual(docsCode, one)}`).join("\n\n"),
        content: { "application/json": { schema, ...(answers ? { examples: answers } : {}) } },
      },
      ...Object.fromEntries(statusesOf(call).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

/** Both languages of an example are asked with the same payload but for what was drawn at random. */
function bodyOf({ payload }: Call, example: Record<Locale, Example> | undefined): object {
  const sent = example?.["en-US"].payload;
  return {
    description: `≤ ${maxBody} B`,
    required: payload.type !== "optional",
    content: { "application/json": { schema: toJsonSchema(payload, names), ...(sent === undefined ? {} : { example: sent }) } },
  };
}

/** GET has no body that could be wrong, and no operation is an unknown call asked with a wrong method. */
function statusesOf({ method }: Call): string[] {
  const ofBody = ["400", "413", "415"];
  return Object.keys(transportErrors).filter(
    (status) => !["404", "405"].includes(status) && (method === "POST" || !ofBody.includes(status)),
  );
}

export function envelopeSchema(name: CodeName, data: JsonSchema): JsonSchema {
  const properties = { code: { const: codes[name] }, msg: { type: "string" as const, minLength: 1 }, data };
  return { type: "object", properties, required: ["code", "msg", "data"] };
}

/** The name in the document of an envelope that says no. */
export const toErrorShape = (name: CodeName) => `Refusal${codes[name]}`;

/** `/v1/mall/createOrder` belongs to `mall`. */
export const getTag = ({ path }: Call) => path.split("/")[2] ?? "";

export const errorSchema = (name: CodeName): JsonSchema => ({
  description: bilingual(docsCode, name),
  ...envelopeSchema(name, getErrorData(name)),
});
