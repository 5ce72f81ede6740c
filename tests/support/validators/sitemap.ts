import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";

const schemas = ["all.xsd", "sitemap.xsd", "image.xsd", "xhtml.xsd"].map((fileName) => ({
  fileName,
  contents: readFileSync(join(import.meta.dirname, "../../fixtures/schemas", fileName), "utf8"),
}));
const [all = "", ...parts] = schemas;

/** Returns what libxml2 says of a sitemap or of an index of sitemaps, by the schemas of sitemaps.org and of Google. */
export async function findSitemapFaults(fileName: string, contents: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName, contents }],
    schema: [all],
    preload: parts,
    maxMemoryPages: 65_536 / 4,
  });
  return errors.map(({ message, loc }) => `${fileName}${loc ? `:${loc.lineNumber}` : ""}: ${message}`);
}
