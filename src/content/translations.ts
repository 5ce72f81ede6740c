/** `entrance/zh-CN` is the id of `<collection>/entrance/index.zh-CN.md`. */
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
