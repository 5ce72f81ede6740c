import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import type { JsonSchema } from "./json-schema.ts";

export type CodeName = keyof typeof codes;

export const isCodeName = (name: string): name is CodeName => Object.hasOwn(codes, name);
export const codeNames = Object.keys(codes).filter(isCodeName);

/** The statuses that are not 200, and the code that each carries. */
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

/** All that a call may be refused with under HTTP 200, the least particular first. */
export function getErrorCodes({ access, method, errors }: Call): CodeName[] {
  const session: CodeName[] = access === "session" ? ["sessionInvalid"] : [];
  const payload: CodeName[] = method === "POST" ? ["badParameter"] : [];
  return [...session, ...payload, ...errors.filter((name) => name !== "unavailable")];
}

const integer: JsonSchema = { type: "integer" };
const nothing: JsonSchema = { type: "null" };

/** What `data` holds beside a code. */
export function getErrorData(name: CodeName): JsonSchema {
  const holding = (field: string, schema: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { [field]: schema },
    required: [field],
  });
  if (name === "badParameter") {
    return { anyOf: [holding("fields", { type: "object", additionalProperties: { type: "string" } }), nothing] };
  }
  if (name === "tooFrequent") return holding("retry_after", integer);
  if (name === "priceChanged") return holding("pay_fen", { $ref: "#/components/schemas/Fen" });
  if (name === "internal") return holding("request_id", { type: "string" });
  return nothing;
}
