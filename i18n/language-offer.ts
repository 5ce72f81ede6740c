import type { Locale } from "./locale.ts";

/** In the language that is offered, for a page in the other one. */
export const languageOffer: Record<Locale, { title: string; accept: string; close: string }> = {
  "zh-CN": { title: "本站也有中文", accept: "看中文", close: "关闭" },
  "en-US": { title: "This site is also in English", accept: "Read in English", close: "Close" },
};
