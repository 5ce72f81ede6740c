import type { GenericSchema } from "valibot";

/** A text field of a payload: its name, and a function that returns the payload with a text in it. */
export interface TextField {
  name: string;
  fill(text: string): Record<string, unknown>;
}

interface Node {
  type: string;
  entries?: Record<string, GenericSchema>;
  wrapped?: GenericSchema;
  value?: GenericSchema;
}

/** Returns every text field of a payload's schema at any depth, names of records included. `payload` is a valid one. */
export function textFields(schema: GenericSchema, payload: object): TextField[] {
  const node: Node = schema;
  if (node.wrapped) return textFields(node.wrapped, payload);
  const fields = Object.entries(node.entries ?? {}).flatMap(([name, entry]) =>
    fieldsIn(name, entry, Object.entries(payload).find(([key]) => key === name)?.[1]),
  );
  return fields.map(({ name, fill }) => ({ name, fill: (text) => ({ ...payload, ...fill(text) }) }));
}

function fieldsIn(name: string, schema: GenericSchema, value: unknown): TextField[] {
  const node: Node = schema;
  if (node.wrapped) return fieldsIn(name, node.wrapped, value);
  if (node.type === "string" || node.type === "unknown") return [{ name, fill: (text) => ({ [name]: text }) }];
  const inner = typeof value === "object" && value !== null ? value : {};
  if (node.type === "object") {
    return textFields(schema, inner).map((field) => ({
      name: `${name}.${field.name}`,
      fill: (text) => ({ [name]: field.fill(text) }),
    }));
  }
  if (node.type !== "record" || !node.value) return [];
  const names = { name: `a name in ${name}`, fill: (text: string) => ({ [name]: { ...inner, [text]: "x" } }) };
  const values = fieldsIn("x", node.value, undefined).map((field) => ({
    name: `a value in ${name}`,
    fill: (text: string) => ({ [name]: { ...inner, ...field.fill(text) } }),
  }));
  return [names, ...values];
}
