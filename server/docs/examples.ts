import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "../../i18n/locale.ts";
import type { Envelope } from "../../src/api/envelope.ts";

/** A call that was made, and what was answered. */
export interface Example {
  payload?: unknown;
  answer: Envelope;
}

export type Examples = Partial<Record<string, Record<Locale, Example>>>;

export const examplesFile = join(import.meta.dirname, "examples.json");

/** By the call's name in the table. A test makes the calls and writes the file. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesFile, "utf8"));
}
