/** Returns the initials of a name's first two words. A Chinese name is one word unless separated: 沈雨桐 is 沈, 约翰·史密斯 is 约史, and what follows a Chinese word in digits is not one: 乐迷 5678 is 乐. */
export function initials(name: string): string {
  const letters = name.split(/[\s·・]+/u).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? []);
  const [first = "", second = ""] = letters;
  if (/\p{Script=Han}/u.test(first) && /\d/.test(second)) return first;
  return letters.slice(0, 2).join("").toUpperCase();
}

/** Returns what an avatar shows without its picture: text, else icon, else the initials of `alt`. */
export function getFallback<Icon>(alt: string, text: string | undefined, icon: Icon): Icon | string {
  return text || icon || initials(alt);
}
