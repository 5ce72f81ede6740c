const emoji =
  /\p{RI}{2}|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\ufe0f|\u200d|\p{EMod}))(?:\p{EMod}|\ufe0f)*[\u{e0020}-\u{e007f}]*(?:\u200d\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)*)*/gu;

/** Returns the emoji of a text, those that are joined as one. */
export const findEmoji = (text: string): string[] => text.match(emoji) ?? [];

/** Removes the emoji of a title, which the fonts of posters and share cards lack, unless it has nothing else. */
export function removeEmoji(title: string): string {
  const rest = title.replace(emoji, " ").replace(/\s+/g, " ").trim();
  return rest || title;
}
