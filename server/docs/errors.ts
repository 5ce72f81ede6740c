import type { JsonSchema } from "@valibot/to-json-schema";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";

export type CodeName = keyof typeof codes;

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
export function getErrorCodes({ access, method, errors }: Call): CodeName[] {
  const session: CodeName[] = access === "session" ? ["sessionInvalid"] : [];
  const payload: CodeName[] = method === "POST" ? ["badParameter"] : [];
  return [...session, ...payload, ...errors.filter((name) => name !== "unavailable")];
}

const integer: JsonSchema = { type: "integer" };
const nullSchema: JsonSchema = { type: "null" };

/** Returns the schema of `data` for an error code. */
export function getErrorData(name: CodeName): JsonSchema {
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
