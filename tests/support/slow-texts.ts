/** Texts that make an expression with neighbouring repetitions slow: what each repeats. */
export const fillers: Record<string, string> = {
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

/** A body of `bytes` bytes at most around a text that repeats `filler`: `wrap` makes the payload. */
export function fullBody(filler: string, bytes: number, wrap: (text: string) => object): string {
  const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(wrap(text)));
  const empty = sizeOf("");
  const times = Math.floor((bytes - empty) / (sizeOf(filler) - empty));
  return JSON.stringify(wrap(filler.repeat(times)));
}
