interface Parts {
  province: string;
  city: string;
  district: string;
  detail: string;
}

/** Writes an address on one line: province first in Chinese, last in English. Empty levels are left out. */
export function formatAddress({ province, city, district, detail }: Parts, locale: string): string {
  const parts = [province, city, district, detail].filter(Boolean);
  return locale === "en-US" ? parts.reverse().join(", ") : parts.join(" ");
}

/** `138 0000 1290` */
export function formatMobile(mobile: string): string {
  return mobile.replace(/^(\d{3})(\d{4})(\d{4})$/, "$1 $2 $3");
}

/** Returns `zh-CN` for a text with Chinese characters on a page in English, where it needs a `lang`; otherwise `undefined`. */
export function getLanguage(text: string, locale: string): string | undefined {
  const isChinese = /\p{Script=Han}/u.test(text);
  if (isChinese === (locale === "zh-CN")) return undefined;
  return isChinese ? "zh-CN" : undefined;
}
