import type { JsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";

type Schema = NonNullable<JsonSchema["items"]>;
const isSchema = (schema: Schema | undefined): schema is JsonSchema => typeof schema === "object" && !Array.isArray(schema);

/** Characters that texts are often wrong about: of two UTF-16 units, joined, combining, of both directions, and blanks of several kinds. */
const oddCharacters = [
  "🎹",
  "👩‍🎤",
  "e\u0301",
  "ﬀ",
  "\u202e",
  "א",
  "\u3000",
  "\u00a0",
  "\ufeff",
  "\u2028",
  "\u0007",
  "\u0000",
  "\ud800",
  " ",
  "满",
  "1",
  "-",
];

function toText({ minLength = 0, maxLength = minLength + 40, pattern }: JsonSchema): fc.Arbitrary<string> {
  const lengths = { minLength, maxLength };
  const texts = [
    fc.string({ unit: "binary", ...lengths }),
    fc.string({ unit: fc.constantFrom(...oddCharacters), ...lengths }),
    fc.tuple(fc.constantFrom(...oddCharacters), fc.constantFrom(minLength, maxLength)).map(([one, n]) => one.repeat(n)),
  ];
  // Without classes of Unicode, which fast-check does not know.
  if (pattern && !pattern.includes("\\p")) texts.push(fc.stringMatching(new RegExp(pattern, "u")));
  return fc.oneof(...texts).filter((text) => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern, "u").test(text));
  });
}

/** Returns values that a schema of the OpenAPI document allows. The caller filters them by the whole schema. */
export function toArbitrary(schema: JsonSchema, shapes: Record<string, JsonSchema>): fc.Arbitrary<unknown> {
  const convert = (inner: Schema | undefined) => (isSchema(inner) ? toArbitrary(inner, shapes) : fc.jsonValue());
  const { $ref, anyOf, allOf, minimum = -1e20, maximum = 1e20, properties = {}, required = [], additionalProperties } = schema;
  if ($ref) return convert(shapes[$ref.split("/").at(-1) ?? ""]);
  if (anyOf) return fc.oneof(...anyOf.map(convert));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc
        .oneof(fc.maxSafeInteger(), fc.constantFrom(minimum, maximum))
        .map((n) => Math.max(minimum, Math.min(maximum, n)));
    case "string":
      return toText(schema);
    case "object": {
      // Each says what holds unless a field differs from a constant.
      const branches = (allOf ?? []).filter(isSchema).map((rule) => {
        const [unless = {}, rest = {}] = (rule.anyOf ?? []).filter(isSchema).map((part) => part.properties);
        const constants = Object.entries<Schema>(unless).map(([name, field]) => [name, isSchema(field) ? field.not : field]);
        return { ...properties, ...Object.fromEntries(constants), ...rest };
      });
      const objects = [properties, ...branches].map((fields) => {
        const entries = Object.entries<Schema>(fields).map(([name, field]) => [name, convert(field)]);
        const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(entries);
        return fc.record(model, { requiredKeys: required });
      });
      const more = fc.dictionary(fc.string(), convert(additionalProperties), { maxKeys: 3 });
      return fc.tuple(fc.oneof(...objects), more).map(([object, others]) => ({ ...others, ...object }));
    }
    default:
      return fc.jsonValue();
  }
}
