import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** Says what lies beside a text in place of a picture or audio that it names. */
export async function describeMissing(path: string, what: "picture" | "audio", ending: RegExp): Promise<string> {
  const neighbours = await readdir(dirname(path)).catch(() => []);
  const similar = neighbours.find((other) => other.toLowerCase() === basename(path).toLowerCase());
  if (similar) return `is not there, but ${similar} is: small and capital letters differ`;
  const files = neighbours.filter((other) => ending.test(other));
  if (files.length === 0) return `is not there: no ${what} lies beside the text yet, so put it there`;
  return `is not there, but ${files.slice(0, 5).join(", ")} ${files.length === 1 ? "lies" : "lie"} beside the text`;
}
