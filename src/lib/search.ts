/** A text to find; of two hits of equal rank the one earlier in the list comes first. */
export interface SearchText {
  title: string;
  lead: string;
  body: string;
}

/** What a result shows of a text. */
export interface SearchResult {
  /** Without prefix. */
  path: string;
  title: string;
  /** What it is, or where: the kind of news, the city of a show. */
  label: string;
  facts: string;
  summary: string;
  /** When it is or was, such as 2027.03.20; "" for what has no date. */
  date: string;
  /** When a show or the last of a tour ends, as ISO 8601; "" for others. */
  ends: string;
  /** Address of a small picture; "" without one. */
  picture: string;
  /** The language of the text when it is not the index's; else "". */
  lang: string;
}

/** A text to find, with what its result shows. */
export type SearchEntry = SearchText & Pick<SearchResult, "path" | "label"> & Partial<SearchResult>;

/** The kinds of results, in their order on the page and in the index. */
export const searchGroups = ["event", "news", "mall", "page"] as const;
export type SearchGroup = (typeof searchGroups)[number];

/** An index before it is split into files. */
export interface SearchIndex {
  shards: string[];
  /** Results, a few in each. */
  chunks: string[];
  /** How many texts each group has. */
  counts: number[];
}

/** What the page loads first of an index. */
export interface SearchManifest {
  /** Path of the files; it has a hash of their content. */
  folder: string;
  shards: number;
  counts: number[];
}

/** Paths of the files of an index. */
export const searchPaths = {
  manifest: (locale: string) => `/search/${locale}.json`,
  shard: (folder: string, index: number) => `${folder}/${index}.txt`,
  chunk: (folder: string, index: number) => `${folder}/results-${index}.txt`,
};

/** Results of a chunk: few, as hits lie far apart. */
export const chunkSize = 8;
const resultFields = ["path", "title", "label", "facts", "summary", "date", "ends", "picture", "lang"] as const;

/** Where a term stands in a text, by rank. */
const fields = ["title", "lead", "body"] as const;
/** Characters of a shard before compression, at most about 12 KiB after it. */
const shardSize = 12_000;

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
const spaced = `(?![${unspaced}])[\\p{L}\\p{N}]`;
const runs = new RegExp(`[${unspaced}]+|(?:${spaced})+`, "gu");
/** Where a text goes from one kind of writing to the other, as in 第3场. Many write a space there. */
const joints = new RegExp(`([${unspaced}])\\s*(?=(${spaced}))|(${spaced})\\s*(?=([${unspaced}]))`, "gu");
const isUnspaced = new RegExp(`^[${unspaced}]`, "u");
/** Letters that Unicode does not split into a plain one and a mark. */
const plain: Record<string, string> = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", œ: "oe" };

/** Returns a text without differences of case, accents and width, and without what only says where a line may break. */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[øłđßæœ]/g, (letter) => plain[letter] ?? "")
    .normalize("NFKC");

/** Returns the two characters at each joint of a folded text. */
const toJoints = (folded: string) => Array.from(folded.matchAll(joints), ([, ...ends]) => ends.join(""));

/** Returns the words of a text, and of what is written without spaces every two neighbours, also those of a word and it. */
function toTerms(text: string): string[] {
  const terms = toJoints(fold(text));
  for (const run of fold(text).match(runs) ?? []) {
    const letters = isUnspaced.test(run) ? [...run] : [];
    if (letters.length < 2) terms.push(run);
    for (let at = 1; at < letters.length; at++) terms.push(`${letters[at - 1]}${letters[at]}`);
  }
  return terms;
}

/** Returns the number of the shard of a term: that of all terms that begin with the same two characters. */
function toShard(term: string, count: number): number {
  let hash = 0x811c9dc5;
  for (const letter of [...term].slice(0, 2)) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % count;
}

/** Returns the shards of an index: a line for each term, with the distances from one text and field to the next in base 36. */
export function createShards(texts: readonly SearchText[]): string[] {
  const postings = new Map<string, number[]>();
  texts.forEach((text, index) => {
    const first = index * fields.length;
    fields.forEach((field, rank) => {
      /** Adds a term, unless the text has it in this field or a better one. */
      const add = (term: string) => {
        const list = postings.get(term);
        if (!list) postings.set(term, [first + rank]);
        else if ((list.at(-1) ?? 0) < first) list.push(first + rank);
      };
      for (const term of toTerms(text[field])) {
        add(term);
        // One character finds titles.
        if (rank === 0) for (const letter of isUnspaced.test(term) ? term : [...term].slice(0, 1)) add(letter);
      }
    });
  });
  const lines = [...postings].map(([term, list]) => ({
    term,
    line: `${term} ${list.map((posting, at) => (posting - (list[at - 1] ?? 0)).toString(36)).join(" ")}\n`,
  }));
  const size = lines.reduce((total, { line }) => total + line.length, 0);
  const shards = Array.from({ length: Math.ceil(size / shardSize) || 1 }, () => "\n");
  for (const { term, line } of lines) shards[toShard(term, shards.length)] += line;
  return shards;
}

/** Returns the index of the texts of each group. */
export function createIndex(entries: Record<SearchGroup, readonly SearchEntry[]>): SearchIndex {
  const groups = searchGroups.map((group) => entries[group]);
  const all = groups.flat();
  const lines = all.map((entry) =>
    resultFields.map((field) => `${(entry[field] ?? "").replace(/[^\S\u00a0]+/g, " ").trim()}\n`).join(""),
  );
  const chunks = Array.from({ length: Math.ceil(all.length / chunkSize) }, (_, index) =>
    lines.slice(index * chunkSize, (index + 1) * chunkSize).join(""),
  );
  return { shards: createShards(all), chunks, counts: groups.map(({ length }) => length) };
}

/** Returns the results of a chunk. */
export function parseResults(chunk: string): SearchResult[] {
  const lines = chunk.split("\n");
  return Array.from({ length: Math.floor(lines.length / resultFields.length) }, (_, index) => {
    const own = lines.slice(index * resultFields.length);
    const [path = "", title = "", label = "", facts = "", summary = "", date = "", ends = "", picture = "", lang = ""] = own;
    return { path, title, label, facts, summary, date, ends, picture, lang };
  });
}

/** Terms of a query that are looked up: each may load a shard. */
const maxTerms = 6;

/** Returns the terms that a query looks up. Of what is written without spaces, every other pair is enough. */
function toQueryTerms(query: string): string[] {
  const terms = (fold(query).match(runs) ?? []).flatMap((run) => {
    const letters = [...run];
    if (!isUnspaced.test(run) || letters.length < 3) return [run];
    const pairs = letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
    return pairs.filter((_, at) => at % 2 === 0 || at === pairs.length - 1);
  });
  // A lone character would find titles only, beside terms that find whole texts: it is looked up with its neighbour.
  const longer = terms.filter((term) => [...term].length > 1);
  if (longer.length < terms.length) longer.push(...toJoints(fold(query).replace(/\s/g, ",")));
  // Nothing but lone characters, such as A 面 and 第 3 场, is one word with the spaces that many write in it.
  if (longer.length === 0) longer.push(...toJoints(fold(query)));
  return [...new Set(longer.length > 0 ? longer : terms)].slice(0, maxTerms);
}

/** Returns the rank of each text that a shard has for a term, or for words that begin with it. */
function findRanks(shard: string, term: string): Map<number, number> {
  const ranks = new Map<number, number>();
  const isWord = !isUnspaced.test(term) && [...term].length > 1;
  const start = `\n${term}${isWord ? "" : " "}`;
  for (let at = shard.indexOf(start); at >= 0; at = shard.indexOf(start, at + 1)) {
    let posting = 0;
    for (const distance of shard.slice(shard.indexOf(" ", at) + 1, shard.indexOf("\n", at + 1)).split(" ")) {
      posting += Number.parseInt(distance, 36);
      const text = Math.floor(posting / fields.length);
      ranks.set(text, Math.min(ranks.get(text) ?? fields.length, posting % fields.length));
    }
  }
  return ranks;
}

/** Returns the indexes of the texts that hold every term of a query: titles before leads before bodies. Loads no more shards than the query has terms. */
export async function search(query: string, count: number, load: (shard: number) => Promise<string>): Promise<number[]> {
  const found = await Promise.all(toQueryTerms(query).map(async (term) => findRanks(await load(toShard(term, count)), term)));
  const [first, ...others] = found;
  if (!first) return [];
  return [...first.keys()]
    .filter((text) => others.every((ranks) => ranks.has(text)))
    .map((text) => ({ text, rank: found.reduce((total, ranks) => total + (ranks.get(text) ?? 0), 0) }))
    .sort((a, b) => a.rank - b.rank || a.text - b.text)
    .map(({ text }) => text);
}

type Range = [start: number, end: number];

/** Folds a text letter by letter, with the span of each folded unit in the text. */
function foldWithSpans(text: string): { folded: string; spans: Range[] } {
  let folded = "";
  let at = 0;
  const spans: Range[] = [];
  for (const letter of text) {
    const part = fold(letter);
    const end = at + letter.length;
    const last = spans.at(-1);
    // An accent of its own, as what has no width, belongs to the letter before it.
    if (part === "" && last) last[1] = end;
    for (let unit = 0; unit < part.length; unit++) spans.push([at, end]);
    folded += part;
    at = end;
  }
  return { folded, spans };
}

function findAll(text: string, part: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push([at, at + part.length]);
  return found;
}

/** Returns where a text holds what a query looks for: words from their beginning, Chinese anywhere, else the pairs of it. The ranges are in order and do not touch. */
export function findMatches(text: string, query: string): Range[] {
  const { folded, spans } = foldWithSpans(text);
  const words = Array.from(folded.matchAll(runs), (match): Range => [match.index, match.index + match[0].length]);
  const found = (fold(query).match(runs) ?? []).flatMap((run) => {
    if (!isUnspaced.test(run))
      return words.flatMap(([start]): Range[] => (folded.startsWith(run, start) ? [[start, start + run.length]] : []));
    const whole = findAll(folded, run);
    return whole.length > 0 ? whole : toTerms(run).flatMap((pair) => findAll(folded, pair));
  });
  const ranges: Range[] = [];
  for (const [first, last] of found.sort(([one], [other]) => one - other)) {
    const start = spans[first]?.[0] ?? 0;
    const end = spans[last - 1]?.[1] ?? 0;
    const before = ranges.at(-1);
    if (before && start <= before[1]) before[1] = Math.max(before[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
