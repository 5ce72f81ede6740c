import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "../../i18n/locale.ts";
import type { Envelope } from "../../src/api/envelope.ts";

/** A recorded call and its response. */
export interface Example {
  payload?: unknown;
  answer: Envelope;
}

export type Examples = Partial<Record<string, Record<Locale, Example>>>;

export const examplesFile = join(import.meta.dirname, "examples.json");

/** Reads the examples by the call's name in the table. A test records the calls and writes the file. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesFile, "utf8"));
}
