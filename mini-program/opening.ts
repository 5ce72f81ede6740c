/** How the page was opened: by a code, with `scene` as WeChat encodes it (`sn%3DM26…`), or by a link with `sn`. */
export type Opening = Record<string, string | undefined>;

const orderSn = /^[0-9A-Za-z]{1,32}$/;

/** Returns the number of the order that the page was opened with, null without one. WeChat does not say whether the query of a link arrives decoded. */
export function parseOrderSn({ scene = "", ...query }: Opening): string | null {
  const link = Object.keys(query).map((name) => (query[name] ? `${name}=${query[name]}` : name));
  const value = /(?:^|&)sn=([^&]*)/.exec(decode([...link, scene].join("&")))?.[1] ?? "";
  return orderSn.test(value) ? value : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
