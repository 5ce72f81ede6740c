import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as v from "valibot";
import type { Context } from "#server/context.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { applyCatalogue, planCatalogue } from "#server/modules/catalogue/apply.ts";
import { readCatalogue, readFigures } from "#server/modules/catalogue/stored.ts";
import { type Catalogue, catalogue as catalogueSchema } from "#src/content/catalogue.ts";
import { type Command, parseArguments } from "./command.ts";

const usage = `npm run catalogue -- check | plan | apply`;

const figure = v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0)));
const figuresSchema = v.object({ stock: figure, sold: figure, booked: figure });

/** Creates the command that compares a catalogue, as a file of JSON, with the database, brings it in, and prints what the database owns. */
export function catalogueCommand(context: Context): Command {
  return async (args) => {
    const { rest, options } = parseArguments(args, ["figures"]);
    const [verb, file, ...more] = rest;
    if (more.length > 0) throw new OperatorError(usage);
    if (verb === "figures" && !file) return printFigures(context);
    if (!isVerb(verb) || !file) throw new OperatorError(usage);
    const catalogue = await readJson(file, catalogueSchema);
    if (verb === "compare") return compareCatalogue(context, catalogue);
    if (verb === "create" && (await readCatalogue(context.db)).shop) throw new OperatorError("The database holds a catalogue.");
    if (verb === "plan") {
      const { sentences, advice } = await planCatalogue(context.db, catalogue);
      return [formatDifferences(sentences), ...advice.map((sentence) => `Advice: ${sentence}`)].join("\n");
    }
    const figuresFile = options.get("figures");
    const figures = figuresFile ? await readJson(figuresFile, figuresSchema) : undefined;
    return formatDifferences(await applyCatalogue(context.db, catalogue, figures));
  };
}

const formatDifferences = (sentences: string[]) => sentences.join("\n") || "No differences.";

const verbs = ["plan", "compare", "apply", "create"] as const;
const isVerb = (verb: string | undefined): verb is (typeof verbs)[number] => verbs.some((one) => one === verb);

/** For `npm start`, which reads the exit status alone. Throws OperatorError when the database holds another catalogue. */
async function compareCatalogue(context: Context, catalogue: Catalogue): Promise<string> {
  const { sentences } = await planCatalogue(context.db, catalogue);
  if (sentences.length > 0) throw new OperatorError("The database holds another catalogue.");
  return "No differences.";
}

/** Returns the figures that the database owns, its shop (null before a first catalogue) and the folder of the server's site, as JSON. */
async function printFigures({ db, config }: Context): Promise<string> {
  const { shop } = await readCatalogue(db);
  return JSON.stringify({ ...(await readFigures(db)), shop: shop?.uid ?? null, site: resolve(config.SITE_DIR) });
}

async function readJson<Schema extends v.GenericSchema>(file: string, schema: Schema): Promise<v.InferOutput<Schema>> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new OperatorError(`There is no file ${file}.`);
  });
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new OperatorError(`The catalogue is not valid: ${v.getDotPath(issue) ?? "it"}: ${issue.message}. Nothing was changed.`);
}
