import type { GenericSchema } from "valibot";

/** A JSON Schema (draft 2020-12), as far as the contract needs one. */
export interface JsonSchema {
  $ref?: string;
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** What the contract's schemas have when they are looked into. */
interface Node {
  type: string;
  entries?: Record<string, GenericSchema>;
  item?: GenericSchema;
  wrapped?: GenericSchema;
  value?: GenericSchema;
  options?: readonly unknown[];
  literal?: unknown;
  default?: unknown;
  pipe?: readonly { kind: string; type: string; requirement?: unknown }[];
}

/** Names for schemas that are written down once and referred to. */
export type Names = ReadonlyMap<GenericSchema, string>;

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A schema of the contract as JSON Schema, or the reference to it where it has a name. Throws for a kind that the contract did not know so far. */
export function toJsonSchema(schema: GenericSchema, names: Names): JsonSchema {
  const name = names.get(schema);
  return name ? reference(name) : stringifySchema(schema, names);
}

/** The same, written out although it has a name. */
export function stringifySchema(schema: GenericSchema, names: Names): JsonSchema {
  const node: Node = schema;
  const plain = plainly(node, names);
  for (const { kind, type, requirement } of node.pipe?.slice(1) ?? []) {
    // What follows is said of the value after it was changed, which is not what is sent.
    if (type === "transform" || type === "check") break;
    if (kind !== "transformation") Object.assign(plain, ruled(type, requirement));
  }
  return plain;
}

function plainly(node: Node, names: Names): JsonSchema {
  const inner = (schema: GenericSchema | undefined) => (schema ? toJsonSchema(schema, names) : {});
  switch (node.type) {
    case "object": {
      const entries = Object.entries(node.entries ?? {});
      const properties = Object.fromEntries(entries.map(([field, schema]) => [field, inner(schema)]));
      const required = entries.filter(([, schema]) => schema.type !== "optional").map(([field]) => field);
      return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
    }
    case "array":
      return { type: "array", items: inner(node.item) };
    case "record":
      return { type: "object", additionalProperties: inner(node.value) };
    case "string":
    case "number":
    case "boolean":
      return { type: node.type };
    case "literal":
      return { const: node.literal };
    case "picklist":
      return { enum: [...(node.options ?? [])] };
    case "nullable":
      return { anyOf: [inner(node.wrapped), { type: "null" }] };
    case "optional":
      return { ...inner(node.wrapped), ...(node.default === undefined ? {} : { default: node.default }) };
    case "unknown":
      return {};
    default:
      throw new Error(`the contract has a schema of the kind ${node.type}, which server/docs/json-schema.ts does not know`);
  }
}

function ruled(type: string, requirement: unknown): JsonSchema {
  if (type === "safe_integer") return { type: "integer" };
  if (type === "min_value") return { minimum: Number(requirement) };
  if (type === "max_value") return { maximum: Number(requirement) };
  if (type === "min_length") return { minLength: Number(requirement) };
  if (type === "max_length") return { maxLength: Number(requirement) };
  if (type === "regex" && requirement instanceof RegExp) return { pattern: requirement.source };
  if (type === "starts_with") return { pattern: `^${String(requirement)}` };
  throw new Error(`the contract has a rule of the kind ${type}, which server/docs/json-schema.ts does not know`);
}
