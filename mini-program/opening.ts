/** How the page was opened: by a code, with `scene` as WeChat encodes it (`sn%3DM26…`), or by a link with `sn`. */
export type Opening = Record<string, string | undefined>;

const orderSn = /^[0-9A-Za-z]{1,32}$/;

/** Returns the number of the order that the page was opened with, null without one. */
export function parseOrderSn({ sn, scene }: Opening): string | null {
  const value = sn ?? /(?:^|&)sn=([^&]*)/.exec(decode(scene ?? ""))?.[1] ?? "";
  return orderSn.test(value) ? value : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
