/** `entrance/zh-CN` is the id of `<collection>/entrance/zh-CN.md`. */
export interface ContentEntry<Data = unknown> {
  id: string;
  data: Data;
}

export type LocalizedEntry<Entry, Language extends string> = Entry & {
  folder: string;
  /** The language of the text: the other one when there is no translation. */
  locale: Language;
};

function split(id: string): [folder: string, language: string] {
  const at = id.lastIndexOf("/");
  return [id.slice(0, at), id.slice(at + 1)];
}

/** Returns each text once per language, by its folder: in that language, else in another. Keeps the order. */
export function groupByLocale<Entry extends ContentEntry, Language extends string>(
  entries: readonly Entry[],
  languages: readonly Language[],
): Map<Language, Map<string, LocalizedEntry<Entry, Language>>> {
  const folders = new Map<string, LocalizedEntry<Entry, Language>[]>();
  for (const entry of entries) {
    const [folder, name] = split(entry.id);
    const locale = languages.find((language) => language === name);
    if (locale) folders.set(folder, [...(folders.get(folder) ?? []), { ...entry, folder, locale }]);
  }
  return new Map(
    languages.map((language) => {
      const chosen = new Map<string, LocalizedEntry<Entry, Language>>();
      for (const [folder, texts] of folders) {
        const text = texts.find(({ locale }) => locale === language) ?? texts[0];
        if (text) chosen.set(folder, text);
      }
      return [language, chosen];
    }),
  );
}

/** Returns the facts that differ between the languages of a text, each as a sentence with file and field. */
export function findDifferences<Data>(
  collection: string,
  entries: readonly ContentEntry<Data>[],
  facts: Record<string, (data: Data) => unknown>,
): string[] {
  const first = new Map<string, ContentEntry<Data>>();
  return entries.flatMap((entry) => {
    const [folder] = split(entry.id);
    const other = first.get(folder);
    if (!other) {
      first.set(folder, entry);
      return [];
    }
    return Object.entries(facts).flatMap(([field, getFact]) => {
      const [mine, theirs] = [formatFact(getFact(entry.data)), formatFact(getFact(other.data))];
      if (mine === theirs) return [];
      const [file, there] = [entry, other].map(({ id }) => `src/content/${collection}/${id}.md`);
      return [`${file}: ${field} is ${mine}, but in ${there} it is ${theirs}; a fact is the same in every language`];
    });
  });
}

function formatFact(fact: unknown): string {
  return fact === undefined ? "not there" : JSON.stringify(fact);
}
