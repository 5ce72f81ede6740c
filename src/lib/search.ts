/** A text to find; of two hits of equal rank the one earlier in the list comes first. */
export interface SearchText {
  title: string;
  lead: string;
  body: string;
}

/** Where a term stands in a text, by rank. */
const fields = ["title", "lead", "body"] as const;

/** Characters of a shard before compression, at most about 12 KiB after it. */
const shardSize = 12_000;

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
const runs = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, "gu");
const isUnspaced = new RegExp(`^[${unspaced}]`, "u");

/** Returns a text without differences of case, accents and width. */
const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().normalize("NFKC");

/** Returns the words of a text, and of what is written without spaces every two neighbours. */
export function toTerms(text: string): string[] {
  return (fold(text).match(runs) ?? []).flatMap((run) => {
    const letters = [...run];
    return isUnspaced.test(run) && letters.length > 1
      ? letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
      : [run];
  });
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
    const terms = new Map<string, number>();
    fields.forEach((field, rank) => {
      for (const term of toTerms(text[field])) {
        if (!terms.has(term)) terms.set(term, rank);
        // One character finds titles.
        if (rank === 0) for (const letter of isUnspaced.test(term) ? term : [...term].slice(0, 1)) terms.set(letter, 0);
      }
    });
    for (const [term, rank] of terms) {
      const list = postings.get(term);
      const posting = index * fields.length + rank;
      if (list) list.push(posting);
      else postings.set(term, [posting]);
    }
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

/** Returns the terms that a query looks up. Of what is written without spaces, every other pair is enough. */
function toQueryTerms(query: string): string[] {
  const terms = (fold(query).match(runs) ?? []).flatMap((run) => {
    const letters = [...run];
    if (!isUnspaced.test(run) || letters.length < 3) return [run];
    const starts = letters.map((_, index) => index).filter((index) => index % 2 === 0);
    return starts.map((start) =>
      letters
        .slice(Math.min(start, letters.length - 2))
        .slice(0, 2)
        .join(""),
    );
  });
  // A lone character would find titles only, beside terms that find whole texts.
  const longer = terms.filter((term) => [...term].length > 1);
  return [...new Set(longer.length > 0 ? longer : terms)];
}

/** Adds the postings that a shard has for a term, or for words that begin with it. */
function addPostings(shard: string, term: string, ranks: Map<number, number>) {
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
}

/** Returns the indexes of the texts that hold every term of a query: titles before leads before bodies. Loads no more shards than the query has terms. */
export async function search(query: string, count: number, load: (shard: number) => Promise<string>): Promise<number[]> {
  const found = await Promise.all(
    toQueryTerms(query).map(async (term) => {
      const ranks = new Map<number, number>();
      addPostings(await load(toShard(term, count)), term, ranks);
      return ranks;
    }),
  );
  const [first, ...others] = found;
  if (!first) return [];
  return [...first.keys()]
    .filter((text) => others.every((ranks) => ranks.has(text)))
    .map((text) => ({ text, rank: found.reduce((total, ranks) => total + (ranks.get(text) ?? 0), 0) }))
    .sort((a, b) => a.rank - b.rank || a.text - b.text)
    .map(({ text }) => text);
}
