import { readFileSync } from "node:fs";

/** Returns the rows of a table of texts, cut at tabs; lines that begin with # are comments. */
export const readTable = (file: string): string[][] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
