import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** Says what lies beside a text in place of a picture or audio that it names. */
export async function describeMissing(path: string, what: "picture" | "audio", ending: RegExp): Promise<string> {
  const name = basename(path).normalize("NFC");
  const neighbours = await readdir(dirname(path)).catch(() => []);
  const similar = neighbours.find((other) => other.normalize("NFC").toLowerCase() === name.toLowerCase());
  // Some programs write é as e and a mark.
  if (similar?.normalize("NFC") === name)
    return `is not there, but a file is whose name looks the same and has its accents as marks of their own: rename it, such as: ${toPlain(name)}`;
  if (similar) return `is not there, but ${similar} is: small and capital letters differ`;
  const files = neighbours.filter((other) => ending.test(other));
  if (files.length === 0) return `is not there: no ${what} lies beside the text yet, so put it there`;
  return `is not there, but ${files.slice(0, 5).join(", ")} ${files.length === 1 ? "lies" : "lie"} beside the text`;
}

/** Returns a name in plain letters. */
function toPlain(name: string): string {
  const plain = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\w.-]+/g, "-");
  return /^[-.]/.test(plain) ? `file${plain.replace(/^[^.]*/, "")}` : plain;
}
