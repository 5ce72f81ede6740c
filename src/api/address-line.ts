interface Parts {
  province: string;
  city: string;
  district: string;
  detail: string;
}

/** Returns the language of an address's regions: a courier reads a Chinese street in a Chinese city. */
export const getAddressLocale = <Locale extends string>(detail: string, locale: Locale) =>
  getLanguage(detail, locale) ?? locale;

/** Writes an address on one line: province first in Chinese, last in English. Empty levels are left out. */
export function formatAddress({ province, city, district, detail }: Parts, locale: string): string {
  const parts = [province, city, district, detail].filter(Boolean);
  return getAddressLocale(detail, locale) === "en-US" ? parts.reverse().join(", ") : parts.join(" ");
}

/** `138 0000 1290` */
export function formatMobile(mobile: string): string {
  return mobile.replace(/^(\d{3})(\d{4})(\d{4})$/, "$1 $2 $3");
}

/** Returns `zh-CN` for a text with Chinese characters on a page in English, where it needs a `lang`; otherwise `undefined`. */
export function getLanguage(text: string, locale: string): "zh-CN" | undefined {
  return locale !== "zh-CN" && /\p{Script=Han}/u.test(text) ? "zh-CN" : undefined;
}

/** `成都 望江楼` / `Wangjiang Tower, Chengdu` */
export const joinPlace = (city: string, venue: string, locale: string) =>
  locale === "zh-CN" ? `${city} ${venue}` : `${venue}, ${city}`;
