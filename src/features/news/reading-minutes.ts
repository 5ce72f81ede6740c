/** Minutes that a text takes: 400 Chinese characters or 220 English words each, at least one. */
export function readingMinutes(markdown: string, locale: string): number {
  const amount = locale === "zh-CN" ? markdown.replace(/\s/g, "").length / 400 : markdown.split(/\s+/).length / 220;
  return Math.max(1, Math.round(amount));
}
