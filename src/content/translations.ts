/** What a text of ours is at least: `entrance/zh-CN` is the id of `<collection>/entrance/zh-CN.md`. */
export interface Filed<Data = unknown> {
  id: string;
  data: Data;
}

export type Text<Entry, Language extends string> = Entry & {
  folder: string;
  /** The language that the text is in, which is the other one when it is missing in the asked one. */
  locale: Language;
};

function split(id: string): [folder: string, language: string] {
  const at = id.lastIndexOf("/");
  return [id.slice(0, at), id.slice(at + 1)];
}

/** For each language every text once, by its folder: in that language, or in another when it is not written in it. Keeps the order. */
export function inLocales<Entry extends Filed, Language extends string>(
  entries: readonly Entry[],
  languages: readonly Language[],
): Map<Language, Map<string, Text<Entry, Language>>> {
  const folders = new Map<string, Text<Entry, Language>[]>();
  for (const entry of entries) {
    const [folder, written] = split(entry.id);
    const locale = languages.find((language) => language === written);
    if (locale) folders.set(folder, [...(folders.get(folder) ?? []), { ...entry, folder, locale }]);
  }
  return new Map(
    languages.map((language) => {
      const chosen = new Map<string, Text<Entry, Language>>();
      for (const [folder, texts] of folders) {
        const text = texts.find(({ locale }) => locale === language) ?? texts[0];
        if (text) chosen.set(folder, text);
      }
      return [language, chosen];
    }),
  );
}

/** Facts that differ between the languages of a text, each as a sentence that names file and field. */
export function disagreements<Data>(
  collection: string,
  entries: readonly Filed<Data>[],
  facts: Record<string, (data: Data) => unknown>,
): string[] {
  const first = new Map<string, Filed<Data>>();
  return entries.flatMap((entry) => {
    const [folder] = split(entry.id);
    const other = first.get(folder);
    if (!other) {
      first.set(folder, entry);
      return [];
    }
    return Object.entries(facts).flatMap(([field, of]) => {
      const [mine, theirs] = [said(of(entry.data)), said(of(other.data))];
      if (mine === theirs) return [];
      const [file, there] = [entry, other].map(({ id }) => `src/content/${collection}/${id}.md`);
      return [`${file}: ${field} is ${mine}, but in ${there} it is ${theirs}; a fact is the same in every language`];
    });
  });
}

function said(fact: unknown): string {
  return fact === undefined ? "not there" : JSON.stringify(fact);
}
