/** Repeated texts that make regular expressions with adjacent repetitions slow. */
export const repeatedTexts: Record<string, string> = {
  blanks: " ",
  tabs: "\t",
  newlines: "\n",
  "blanks, tabs and newlines": " \t\r\n",
  "ideographic spaces": "\u3000",
  "zero-width spaces": "\u200b",
  "combining marks": "\u0301",
  digits: "1",
  dashes: "-",
  "surrogate pairs": "\u{1f3b5}",
};

/** Returns a body of at most `bytes` bytes around a text that repeats `text`; `createPayload` wraps it. */
export function createLargeBody(text: string, bytes: number, createPayload: (text: string) => object): string {
  const getSize = (text: string) => Buffer.byteLength(JSON.stringify(createPayload(text)));
  const emptySize = getSize("");
  const times = Math.floor((bytes - emptySize) / (getSize(text) - emptySize));
  return JSON.stringify(createPayload(text.repeat(times)));
}
