import { isDeepStrictEqual } from "node:util";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import type { PastStocks, StoredCatalogue } from "./stored.ts";

const kinds = ["goods", "packages", "activities", "campaigns"] as const;
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
  const storedByUid = new Map(before.map((entry) => [entry.uid, entry]));
  const changes: Changes<K> = { saved: [], gone: [], sentences: [] };
  entries.forEach((entry, index) => {
    const name = `${folders[kind]}/${entry.uid}`;
    const old = storedByUid.get(entry.uid);
    storedByUid.delete(entry.uid);
    const [oldPosition, position] = hasPosition(kind) ? [getStoredPosition(kind, entry.uid, stored), index + 1] : [null, null];
    // Of thousands of entries few differ, and comparing their values one by one takes its time.
    if (old && oldPosition === position && isDeepStrictEqual(withoutFigures(old), withoutFigures(entry))) return;
    const differences = old
      ? compare(flatten(kind, old, oldPosition), flatten(kind, entry, position))
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

/** Returns advice on stocks that an author has edited in the files, which changes nothing: the database never had them. */
export function adviseOnStock(catalogue: Catalogue, stored: StoredCatalogue, pastStocks: PastStocks): string[] {
  const left = new Map<string, number | null>([
    ...stored.goods.flatMap(({ skus }) => skus.map(({ uid, stock }) => [`sku/${uid}`, stock] as const)),
    ...stored.packages.map(({ uid, stock }) => [`package/${uid}`, stock] as const),
  ]);
  const advise = (entry: string, key: string, stock: number | null) => {
    const uid = key.slice(key.indexOf("/") + 1);
    const now = left.get(key);
    const isIgnored = typeof now === "number" && stock !== null && stock !== now && !pastStocks.get(key)?.has(stock);
    if (!isIgnored) return [];
    const subject = entry.endsWith(`/${uid}`) ? entry : `${entry}, SKU ${uid}`;
    const step = stock > now ? `+${stock - now}` : stock - now;
    return [`${subject}: stock: ${stock} changes nothing, ${now} are left: npm run stock -- ${uid} ${step} --why <reason>`];
  };
  return [
    ...catalogue.goods.flatMap((item) =>
      item.skus.flatMap(({ uid, stock }) => advise(`goods/${item.uid}`, `sku/${uid}`, stock)),
    ),
    ...catalogue.packages.flatMap(({ uid, stock }) => advise(`package/${uid}`, `package/${uid}`, stock)),
  ];
}

/** Returns the differences of the shop's own facts, one sentence each. */
export function compareShops(before: Catalogue["shop"] | null, after: Catalogue["shop"]): string[] {
  if (!before) return [`the database becomes that of the shop ${after.uid}`];
  const toFile = ({ uid: shop, title: brand, postage }: Catalogue["shop"]) => flattenValue({ shop, brand, postage });
  return compare(toFile(before), toFile(after)).map((difference) => `site ${difference}`);
}

/**
 * Throws OperatorError when the database holds another shop's catalogue. One from before shops had names is this shop's when the files know something of
 * it, and everything that is on sale.
 */
export function requireSameShop(stored: StoredCatalogue, catalogue: Catalogue): void {
  const { shop } = catalogue;
  const advice = "Each shop has its own database (DATA_DIR or DATABASE_URL).";
  if (stored.shop?.uid === shop.uid) return;
  if (stored.shop)
    throw new OperatorError(
      `This database holds the catalogue of the shop "${stored.shop.uid}", and the files are those of "${shop.uid}": nothing was changed. ${advice}`,
    );
  const toNames = (kind: Kind, { uid, aliases }: Entry<Kind>) => [uid, ...aliases].map((name) => `${folders[kind]}/${name}`);
  const own = new Set(kinds.flatMap((kind) => catalogue[kind].flatMap((entry) => toNames(kind, entry))));
  const found = kinds.flatMap((kind) => stored[kind].map(({ uid, on_sale }) => ({ name: `${folders[kind]}/${uid}`, on_sale })));
  const unknown = found.filter(({ name }) => !own.has(name));
  const foreign = unknown.length === found.length ? unknown : unknown.filter(({ on_sale }) => on_sale);
  if (foreign.length === 0) return;
  const names = foreign.slice(0, 3).map(({ name }) => name);
  throw new OperatorError(
    `This database holds a catalogue from before shops had names, and the files of "${shop.uid}" lack ${foreign.length} of its entries (${names.join(", ")}${foreign.length > names.length ? ", …" : ""}): nothing was changed. If it is the database of another shop: ${advice} If it is this shop's: write the files that are missing, apply with them once, then remove what is no longer sold.`,
  );
}

/** Returns an entry without what is not compared. */
const withoutFigures = (entry: Entry<Kind>): object => ({
  ...{ ...entry, aliases: null },
  ...("skus" in entry && { skus: entry.skus.map((sku) => ({ ...sku, stock: null })) }),
  ...("price_fen" in entry && { stock: entry.stock === null }),
});

/** Lists the values of an entry by their fields, such as `skus black, price`. */
function flatten(kind: Kind, entry: Entry<Kind>, position: number | null): Map<string, string> {
  const { aliases: _, ...rest } = entry;
  const values = flattenValue({ ...rest, ...toFileFields(kind, entry) });
  // How many are left is the database's; whether a pass is limited is the file's.
  for (const [path, value] of values)
    if (/(^|, )stock$/.test(path)) values.set(path, value === "nothing" ? "unlimited" : "limited");
  if (position !== null) values.set("position", String(position));
  return values;
}

/** Returns what a file spells in another way than the catalogue; undefined fields are left out. */
function toFileFields(kind: Kind, entry: Entry<Kind>): object {
  if ("skus" in entry) {
    const [only] = entry.skus;
    if (only?.uid === entry.uid) return { skus: undefined, pay_fen: only.pay_fen };
    const toName = (uid: string) => (uid.startsWith(`${entry.uid}-`) ? uid.slice(entry.uid.length + 1) : uid);
    return { skus: entry.skus.map((sku) => ({ ...sku, uid: toName(sku.uid) })) };
  }
  // Without list_price it is the price.
  if ("price_fen" in entry) return { price_fen: entry.price_fen === entry.pay_fen ? null : entry.price_fen };
  if (kind !== "activities" || !("early" in entry)) return {};
  const { opens_at, closes_at, early, on_sale } = entry;
  return {
    ...{ opens_at: undefined, closes_at: undefined, early: undefined, places: undefined, on_sale: undefined },
    booking: { opens_at, closes_at, early, places: entry.places },
    status: on_sale ? "scheduled" : "cancelled",
  };
}

/** The order of the other kinds follows from their times. */
const hasPosition = (kind: Kind) => kind === "goods" || kind === "packages";

const getStoredPosition = (kind: Kind, uid: string, { positions }: StoredCatalogue) =>
  kind === "goods" || kind === "packages" ? (positions[kind].get(uid) ?? null) : null;

/** Fields of the catalogue that have another name in the files. */
const fileNames: Record<string, string> = {
  ...{ pay_fen: "price", price_fen: "list_price", list_price_fen: "list_price", fen: "fee", free_from_fen: "free_from" },
  ...{ limit_per_member: "limit", detail: "text", url: "file" },
};

/** Lists the values below a field of the catalogue. Each language is named at the end: `skus m, values 1 (en-US)`. */
function flattenValue(value: unknown, path = "", language = ""): Map<string, string> {
  const name = `${path}${language}`;
  if (value === undefined) return new Map();
  if (Array.isArray(value)) {
    const parts = value.map((item, index) => [getKey(item) ?? String(index + 1), item] as const);
    const keys = parts.map(([key]) => key);
    // Stops follow from their times, in any order of the file.
    const list = path === "stops" ? keys.toSorted() : keys;
    const at = (key: string) =>
      path === "images" ? (key === "1" ? "cover" : `pictures ${Number(key) - 1}`) : `${path} ${key}`;
    return merge(
      path === "images" ? [] : [[name, list.join(", ") || "none"]],
      ...parts.map(([key, item]) => flattenValue(item, at(key), language)),
    );
  }
  if (typeof value === "object" && value !== null)
    return merge(
      [],
      ...Object.entries(value).map(([key, item]) => {
        if (key === "zh-CN" || key === "en-US") return flattenValue(item, path, ` (${key})`);
        const isPrice = key.endsWith("fen") && typeof item === "number";
        const field = `${path ? `${path}, ` : ""}${fileNames[key] ?? key}`;
        return isPrice ? new Map([[`${field}${language}`, (item / 100).toFixed(2)]]) : flattenValue(item, field, language);
      }),
    );
  return new Map([[name, value === null ? "nothing" : formatValue(value)]]);
}

const merge = (own: [string, string][], ...others: Map<string, string>[]) =>
  new Map([...own, ...others.flatMap((other) => [...other])]);

/** Returns the name by which entries of a list are found again. */
function getKey(item: unknown): string | null {
  if (typeof item !== "object" || item === null) return null;
  const key = "uid" in item ? item.uid : "stop" in item ? item.stop : "level" in item ? `level ${String(item.level)}` : null;
  return typeof key === "string" ? key : null;
}

/** Writes times as files do, with the zone of China. */
function formatValue(value: unknown): string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return JSON.stringify(value);
  return formatTime(new Date(value)).replace(":00+08:00", "+08:00");
}

function compare(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${shorten(before.get(path))} → ${shorten(after.get(path))}`);
}

const shorten = (text = "nothing") => (text.length > longest ? `${text.slice(0, longest)}…` : text);
