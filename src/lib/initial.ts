/** Returns the letter that stands for a person in the header and on the avatar; "" for a name without letters and digits. */
export const getInitial = (name: string): string => /\p{L}|\d/u.exec(name)?.[0] ?? "";
