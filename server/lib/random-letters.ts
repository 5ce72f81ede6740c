import { randomInt } from "node:crypto";

/** Crockford's base 32: no letter that is taken for another one, or for a digit. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Five bits a character, from the CSPRNG. */
export function randomLetters(length: number): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join("");
}
