/** Returns the initials of a name's first two words. A Chinese name is one word unless separated: 沈雨桐 is 沈, 约翰·史密斯 is 约史. */
export function initials(name: string): string {
  const letters = name.split(/[\s·・]+/u).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? []);
  return letters.slice(0, 2).join("").toUpperCase();
}
