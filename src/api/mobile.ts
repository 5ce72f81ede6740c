/** A mobile number of mainland China, as it is stored. */
export const mobilePattern = /^1[3-9]\d{9}$/;

/** Blanks, dashes, dots and brackets of any script. Chinese keyboards offer ー and ─ beside the dash. */
export const separator = "[\\s\\p{Pd}\\p{Ps}\\p{Pe}⁃−─━ー.·•‧∙⋅・。]";
const separators = new RegExp(separator, "gu");

/** Converts full-width digits and signs, and removes format characters: contacts of Windows and iOS enclose numbers in U+202D and U+202C. */
const toHalfWidth = (text: string) => text.normalize("NFKC").replace(/\p{Cf}/gu, "");

/** Returns a number or a code in half width, without what stands between its digits. */
export const removeSeparators = (text: string): string => toHalfWidth(text).replace(separators, "");

/**
 * Returns whether a number is written as one of another country: with a code other than 86, or grouped as 1-415-555-2671. Without its separators the latter
 * would be the mainland number of a stranger.
 */
export function isForeign(text: string): boolean {
  return /^(\+|00)(?!86)\d/.test(removeSeparators(text)) || /^[^\p{L}\d]*1[^\p{L}\d]+\d{3}/u.test(toHalfWidth(text));
}

/** Removes separators and the country's code from a number that is not foreign. */
export function bareMobile(text: string): string {
  return removeSeparators(text).replace(/^(\+|00)?86(?=\d{11}$)/, "");
}
