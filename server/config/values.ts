import { isIP } from "node:net";
import * as v from "valibot";

// Schemas of environment variables. The table describes what each expects.

export const integerBetween = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(min), v.maxValue(max));

export const oneOf = <const Values extends readonly string[]>(...values: Values) => v.picklist(values);

export const boolean = v.pipe(
  v.picklist(["true", "false"]),
  v.transform((value) => value === "true"),
);

export const nonEmptyText = v.pipe(v.string(), v.minLength(1));

/** Returns whether a text is `https://host[:port]` and nothing else. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === "http:" || url.protocol === "https:") && url.origin === value;
}

export const origin = v.pipe(v.string(), v.check(isOrigin));

export const origins = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((item) => item.trim())),
  v.array(origin),
);

/** Returns whether a text is an IP address or a network such as `10.0.0.0/8` or `fd00::/8`. */
function isNetwork(value: string): boolean {
  const [address = "", bits, ...more] = value.split("/");
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && maxBits > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits));
}

export const networks = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((item) => item.trim())),
  v.array(v.pipe(v.string(), v.check(isNetwork))),
);

export const postgresUrl = v.pipe(
  v.string(),
  v.check((value) => /^postgres(ql)?:$/.test(URL.canParse(value) ? new URL(value).protocol : "")),
);

export const secret = v.pipe(v.string(), v.minLength(32));
