import type { GenericSchema } from "valibot";

/** The part of JSON Schema (draft 2020-12) that the contract uses. */
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

/** The internal properties of Valibot's schemas. */
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

/** Names of schemas that the document defines once and references. */
export type SchemaNames = ReadonlyMap<GenericSchema, string>;

const createReference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Converts a schema of the contract to JSON Schema, or to a reference when it has a name. Throws for an unsupported kind. */
export function toJsonSchema(schema: GenericSchema, names: SchemaNames): JsonSchema {
  const name = names.get(schema);
  return name ? createReference(name) : toInlineSchema(schema, names);
}

/** Converts a schema without referencing its own name. */
export function toInlineSchema(schema: GenericSchema, names: SchemaNames): JsonSchema {
  const node: Node = schema;
  const result = convertNode(node, names);
  for (const { kind, type, requirement } of node.pipe?.slice(1) ?? []) {
    // Later rules apply to the transformed value, not to the one on the wire.
    if (type === "transform" || type === "check") break;
    if (kind !== "transformation") Object.assign(result, convertRule(type, requirement));
  }
  return result;
}

function convertNode(node: Node, names: SchemaNames): JsonSchema {
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
      throw new Error(`server/docs/json-schema.ts does not support schemas of the kind ${node.type}`);
  }
}

function convertRule(type: string, requirement: unknown): JsonSchema {
  if (type === "safe_integer") return { type: "integer" };
  if (type === "min_value") return { minimum: Number(requirement) };
  if (type === "max_value") return { maximum: Number(requirement) };
  if (type === "min_length") return { minLength: Number(requirement) };
  if (type === "max_length") return { maxLength: Number(requirement) };
  if (type === "regex" && requirement instanceof RegExp) return { pattern: requirement.source };
  if (type === "starts_with") return { pattern: `^${String(requirement)}` };
  throw new Error(`server/docs/json-schema.ts does not support rules of the kind ${type}`);
}
