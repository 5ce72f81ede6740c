import { z } from "astro/zod";
import { defaultLocale, locales } from "#i18n/locale.ts";
import { type Kind, kindNames, kinds, site } from "./schema/kinds.ts";

// The configuration of the browser editor (Sveltia CMS), made from the schemas that the build checks the files with.

/** A field of the editor: https://sveltiacms.app/en/docs/fields. */
export interface EditorField {
  name: string;
  widget: string;
  label: string;
  required: boolean | string[];
  /** Whether each language has its own value; the default language's file alone has the others. */
  i18n: boolean;
  [option: string]: unknown;
}

type Shape = Record<string, z.ZodType>;

const titles: Record<Kind, string> = {
  event: "演出 Shows",
  news: "新闻 News",
  goods: "商品 Goods",
  package: "通行证 Passes",
  campaign: "巡演 Tours",
  about: "关于 About",
};

/** What is known of a schema behind its wrappers, such as optional(). */
interface Unwrapped {
  type: z.core.$ZodType;
  input: unknown;
  description: string | undefined;
  isRequired: boolean;
  fallback: unknown;
}

function unwrap(schema: z.core.$ZodType): Unwrapped {
  const meta = z.globalRegistry.get(schema) ?? {};
  const outer = { input: meta.input, description: meta.description };
  const add = (inner: Unwrapped, more: Partial<Unwrapped> = {}): Unwrapped => ({
    ...inner,
    input: outer.input ?? inner.input,
    description: outer.description ?? inner.description,
    ...more,
  });
  if (schema instanceof z.ZodOptional) return add(unwrap(schema.def.innerType), { isRequired: false });
  if (schema instanceof z.ZodDefault)
    return add(unwrap(schema.def.innerType), { isRequired: false, fallback: schema.def.defaultValue });
  if (schema instanceof z.ZodPipe) return add(unwrap(schema.def.in));
  return { type: schema, ...outer, isRequired: true, fallback: undefined };
}

const getShape = (schema: z.core.$ZodType): Shape | null => (schema instanceof z.ZodObject ? schema.def.shape : null);

const idPattern = ["^[a-z0-9][a-z0-9-]*$", "Small letters, digits and dashes · 小写字母、数字、短横"];

/** The widgets of the inputs that a type alone does not tell. */
const inputs: Record<string, Record<string, unknown>> = {
  line: { widget: "string" },
  text: { widget: "text" },
  hour: { widget: "string", pattern: ["^\\d{2}:\\d{2} .", "18:30 Doors"] },
  id: { widget: "string", pattern: idPattern },
  "reference:event": { widget: "string", pattern: idPattern },
  "reference:campaign": { widget: "string", pattern: idPattern },
  // Shows are in China, wherever the editor runs.
  time: { widget: "datetime", input_timezone: "Asia/Shanghai" },
  date: { widget: "datetime", type: "date", format: "YYYY-MM-DD" },
  price: { widget: "number", value_type: "float", min: 0, step: 0.01 },
  whole: { widget: "number", value_type: "int", step: 1 },
  picture: { widget: "image", choose_url: false },
  audio: { widget: "file", choose_url: false },
  color: { widget: "color" },
  // A picture that only decorates has none: see `keepEmptyAlts` of the editor's page.
  alt: { widget: "string", required: false },
};

/** Returns the field of the editor for a field of the files; `words` is its schema in the other language's file. */
function toField(name: string, schema: z.core.$ZodType, words: z.core.$ZodType | undefined): EditorField {
  const { type, input, description, isRequired, fallback } = unwrap(schema);
  const other = words && unwrap(words);
  const isRequiredInAll = isRequired && (other?.isRequired ?? true);
  return {
    name,
    label: name.replaceAll("_", " "),
    ...(description ? { hint: description } : {}),
    required: isRequired && !isRequiredInAll ? [defaultLocale] : isRequired,
    i18n: words !== undefined,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...toWidget(type, input, other?.type),
  };
}

function toWidget(
  type: z.core.$ZodType,
  input: unknown,
  words: z.core.$ZodType | undefined,
): { widget: string; [option: string]: unknown } {
  const widget = inputs[String(input)];
  if (input !== undefined && !widget) throw new Error(`The editor has no widget for the input ${input}.`);
  if (widget) return { widget: String(widget.widget), ...widget };
  if (type instanceof z.ZodObject)
    return { widget: "object", collapsed: "auto", fields: toFields(type.def.shape, getWords(words)) };
  if (type instanceof z.ZodArray) return { widget: "list", ...toItems(type, words) };
  if (type instanceof z.ZodEnum) return { widget: "select", options: Object.values(type.def.entries) };
  if (type instanceof z.ZodNumber) return { ...inputs.whole, widget: "number" };
  if (type instanceof z.ZodBoolean) return { widget: "boolean" };
  return { widget: "string" };
}

const getWords = (words: z.core.$ZodType | undefined): Shape => (words && getShape(words)) ?? {};

/** Returns the options of a list: of the texts, or of the fields of each item. */
function toItems({ def }: z.ZodArray, words: z.core.$ZodType | undefined): object {
  const item = unwrap(def.element);
  const shape = getShape(item.type);
  if (!shape) return {};
  const own = words instanceof z.ZodArray ? unwrap(words.def.element).type : undefined;
  return { collapsed: "auto", fields: toFields(shape, getWords(own)) };
}

/** Returns the fields of the editor for the fields of a file. */
export function toFields(shape: Shape, words: Shape): EditorField[] {
  return Object.entries(shape).map(([name, schema]) => toField(name, schema, words[name]));
}

const body = { name: "body", label: "text", widget: "markdown", required: false, i18n: true, modes: ["rich_text", "raw"] };

/** Pictures lie beside the text that shows them. */
const besideText = { media_folder: "", public_folder: "" };

/** Returns the configuration of the editor for a shop of this name. */
export function createEditorConfig(name: string): Record<string, unknown> {
  return {
    // The editor reads and writes the folder that is chosen in the browser; the repository is a name alone.
    backend: { name: "github", repo: `shop/${name}`, branch: "main" },
    app_title: name,
    media_folder: "/",
    public_folder: "",
    show_preview_links: false,
    // The other language stands beside the text instead.
    editor: { preview: false },
    i18n: { structure: "multiple_files", locales, default_locale: defaultLocale, initial_locales: "all" },
    output: { omit_empty_optional_fields: true },
    media_libraries: { default: { config: { slugify_filename: true } }, stock_assets: { providers: [] } },
    singletons: [
      {
        name: "site",
        label: "网站 Site",
        file: "site.yaml",
        format: "yaml",
        i18n: true,
        fields: toFields(site.schema.shape, site.words.shape),
      },
    ],
    collections: kindNames.map((kind) => ({
      name: kind,
      label: titles[kind],
      folder: kind,
      path: "{{slug}}/index",
      i18n: true,
      slug: { editable: ["create"], pattern: idPattern, hint: "The entry's address, such as: river-tour · 网址里的名字" },
      ...besideText,
      fields: [...toFields(kinds[kind].schema.shape, kinds[kind].words.shape), body],
    })),
  };
}
