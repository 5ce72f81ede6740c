import type { Catalogue } from "../../../src/content/catalogue.ts";
import type { StoredCatalogue } from "./stored.ts";

export const kinds = ["goods", "packages", "activities", "campaigns"] as const;
export type Kind = (typeof kinds)[number];
type Entry<K extends Kind> = Catalogue[K][number];

/** How the entries of a kind differ from the database. Entries of one uid compare without `aliases` and without stock, which belongs to the database. */
export interface Changes<K extends Kind> {
  /** New ones, and those that differ, with their position in the list. */
  saved: { entry: Entry<K>; position: number }[];
  /** Uids that are on sale, and are not in the catalogue. */
  gone: string[];
  /** One sentence each. */
  sentences: string[];
}

const folders: Record<Kind, string> = { goods: "goods", packages: "package", activities: "event", campaigns: "campaign" };
/** Characters of a value in a sentence. */
const longest = 60;

/** Compares the entries of a kind with the database, after renamed ones have their new uids. */
export function findChanges<K extends Kind>(kind: K, catalogue: Catalogue, stored: StoredCatalogue): Changes<K> {
  const entries: readonly Entry<K>[] = catalogue[kind];
  const before: readonly Entry<K>[] = stored[kind];
  const storedByUid = new Map(before.map((entry) => [entry.uid, flatten(entry, getStoredPosition(kind, entry.uid, stored))]));
  const changes: Changes<K> = { saved: [], gone: [], sentences: [] };
  entries.forEach((entry, index) => {
    const name = `${folders[kind]}/${entry.uid}`;
    const old = storedByUid.get(entry.uid);
    storedByUid.delete(entry.uid);
    const differences = old
      ? compare(old, flatten(entry, hasPosition(kind) ? index + 1 : null))
      : [`is new: ${entry.title["zh-CN"]}`];
    if (differences.length === 0) return;
    changes.saved.push({ entry, position: index + 1 });
    changes.sentences.push(...differences.map((difference) => `${name} ${difference}`));
  });
  for (const { uid, on_sale } of before) {
    if (!storedByUid.has(uid) || !on_sale) continue;
    changes.gone.push(uid);
    changes.sentences.push(`${folders[kind]}/${uid} is no longer in the files: it goes off sale`);
  }
  return changes;
}

/** Returns the differences of the shop's own facts, one sentence each. */
export function compareShops(before: Catalogue["shop"] | null, after: Catalogue["shop"]): string[] {
  if (!before) return [`the database becomes that of the shop ${after.uid}`];
  return compare(flattenValue(before), flattenValue(after)).map((difference) => `site ${difference}`);
}

/** Lists the values of an entry by their paths, such as `skus.vinyl-black.pay_fen`. */
function flatten(entry: Entry<Kind>, position: number | null): Map<string, string> {
  const { aliases: _, ...rest } = entry;
  const values = flattenValue(rest);
  // How many are left is the database's; whether a pass is limited is the file's.
  for (const [path, value] of values)
    if (/(^|\.)stock$/.test(path)) values.set(path, value === "null" ? "unlimited" : "limited");
  if (position !== null) values.set("position", String(position));
  return values;
}

/** The order of the other kinds follows from their times. */
const hasPosition = (kind: Kind) => kind === "goods" || kind === "packages";

const getStoredPosition = (kind: Kind, uid: string, { positions }: StoredCatalogue) =>
  kind === "goods" || kind === "packages" ? (positions[kind].get(uid) ?? null) : null;

function flattenValue(value: unknown, path = ""): Map<string, string> {
  const at = (key: string) => (path ? `${path}.${key}` : key);
  if (Array.isArray(value)) {
    const parts = value.map((item, index) => [getKey(item) ?? String(index + 1), item] as const);
    const keys = parts.map(([key]) => key);
    // Stops follow from their times, in any order of the file.
    const list = path === "stops" ? keys.toSorted() : keys;
    return merge([[path, list.join(", ") || "none"]], ...parts.map(([key, item]) => flattenValue(item, at(key))));
  }
  if (typeof value === "object" && value !== null)
    return merge([], ...Object.entries(value).map(([key, item]) => flattenValue(item, at(key))));
  return new Map([[path, JSON.stringify(toComparable(value))]]);
}

const merge = (own: [string, string][], ...others: Map<string, string>[]) =>
  new Map([...own, ...others.flatMap((other) => [...other])]);

/** Returns the name by which entries of a list are found again. */
function getKey(item: unknown): string | null {
  if (typeof item !== "object" || item === null) return null;
  const key = "uid" in item ? item.uid : "stop" in item ? item.stop : "level" in item ? `level ${String(item.level)}` : null;
  return typeof key === "string" ? key : null;
}

/** Times are equal in any zone. */
const toComparable = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? new Date(value).toISOString() : value;

function compare(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${shorten(before.get(path))} → ${shorten(after.get(path))}`);
}

const shorten = (text = "nothing") => (text.length > longest ? `${text.slice(0, longest)}…` : text);
