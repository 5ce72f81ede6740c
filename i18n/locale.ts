/** The two languages and the three URL forms that every page has (`/x`, `/zh-CN/x`, `/en-US/x`). */
export const locales = ["zh-CN", "en-US"] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = "zh-CN";

/** The prefix that a visitor's URL carries; links keep it. */
export const forms = ["", "/zh-CN", "/en-US"] as const;
export type Form = (typeof forms)[number];

export function localeOf(form: Form): Locale {
  return form === "/en-US" ? "en-US" : "zh-CN";
}

/** The form that a language's canonical URLs carry. */
export function canonicalForm(locale: Locale): Form {
  return locale === "en-US" ? "/en-US" : "";
}

/** Cuts a pathname into its form and the path without it: `/en-US/news` is `/en-US` and `/news`. Never fails. */
export function splitForm(pathname: string): { form: Form; path: string } {
  for (const form of forms) {
    if (form && (pathname === form || pathname.startsWith(`${form}/`))) {
      return { form, path: pathname.slice(form.length) || "/" };
    }
  }
  return { form: "", path: pathname };
}

/** Puts a path (beginning with `/`) into a form: `/` in `/en-US` is `/en-US`. */
export function inForm(form: Form, path: string): string {
  return path === "/" ? form || "/" : form + path;
}

/** The cookie that remembers the language: 365 days, path /, SameSite=Lax. */
export function localeCookie(locale: Locale): string {
  return `locale=${locale}; Max-Age=31536000; Path=/; SameSite=Lax`;
}

/** The first of our languages that an Accept-Language header asks for; en-US when it asks for none of them (the API's default). */
export function askedLocale(header: string | null | undefined): Locale {
  const asked = (header ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const weight = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of asked) {
    if (tag === "zh" || tag.startsWith("zh-")) return "zh-CN";
    if (tag === "en" || tag.startsWith("en-")) return "en-US";
  }
  return "en-US";
}
