interface Parts {
  province: string;
  city: string;
  district: string;
  detail: string;
}

/** An address on one line: from the large to the small in Chinese, the other way round in English. Levels that are missing leave no gap. */
export function formatAddress({ province, city, district, detail }: Parts, locale: string): string {
  const parts = [province, city, district, detail].filter(Boolean);
  return locale === "en-US" ? parts.reverse().join(", ") : parts.join(" ");
}

/** `138 0000 1290`, as people read it out. */
export function formatMobile(mobile: string): string {
  return mobile.replace(/^(\d{3})(\d{4})(\d{4})$/, "$1 $2 $3");
}

/** What a person typed may be in another language than the page. */
export function languageOf(text: string, locale: string): string | undefined {
  const isChinese = /\p{Script=Han}/u.test(text);
  if (isChinese === (locale === "zh-CN")) return undefined;
  return isChinese ? "zh-CN" : undefined;
}
