import { isIP } from "node:net";
import * as v from "valibot";

/** A schema with what it expects, as the end of "<name> must be …": valibot's own messages repeat the value, which may be a secret. */
type Value<Output> = v.GenericSchema<string, Output> & { expects: string };

const value = <Output>(expects: string, schema: v.GenericSchema<string, Output>): Value<Output> => ({
  ...schema,
  expects,
});

export const text = (expects: string, pattern = /^/) => value(expects, v.pipe(v.string(), v.regex(pattern)));

const check = (expects: string, isValid: (text: string) => boolean) => value(expects, v.pipe(v.string(), v.check(isValid)));

export const integer = (min: number, max: number, noun = "a whole number") =>
  value(
    `${noun} from ${min} to ${max}`,
    v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(min), v.maxValue(max)),
  );

export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  value(values.join(", ").replace(/, ([^,]*)$/, " or $1"), v.picklist(values));

const isTrue = (word: "true" | "false") => word === "true";
export const boolean = value("true or false", v.pipe(v.picklist(["true", "false"]), v.transform(isTrue)));

/** Parses a list that is separated by commas; "" is the empty list. */
export const list = (expects: string, isItem: (item: string) => boolean) =>
  value(
    `${expects}, separated by commas`,
    v.pipe(
      v.string(),
      v.transform((items) => (items === "" ? [] : items.split(",").map((item) => item.trim()))),
      v.array(v.pipe(v.string(), v.check(isItem))),
    ),
  );

/** Parses keys that are separated by commas, each of 32 characters; a single one may contain commas. */
export const keysOf32 = value(
  "32 characters, or several keys of 32 characters separated by commas",
  v.pipe(
    v.string(),
    v.transform((keys) => (keys.length === 32 ? [keys] : keys.split(",").map((key) => key.trim()))),
    v.array(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{32}$/))),
  ),
);

/** Returns whether a text is `https://host[:port]` and nothing else. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === "http:" || url.protocol === "https:") && url.origin === value;
}

export const origin = check("an origin such as https://example.com, with nothing after it", isOrigin);
export const origins = list("origins such as https://example.com", isOrigin);

/** Returns whether a text is an IP address or a network such as `10.0.0.0/8` or `fd00::/8`. */
function isNetwork(value: string): boolean {
  const [address = "", bits, ...more] = value.split("/");
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && maxBits > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits));
}

export const networks = list("addresses and networks such as 10.0.0.0/8", isNetwork);

const isPostgresUrl = (url: string) => /^postgres(ql)?:$/.test(URL.canParse(url) ? new URL(url).protocol : "");
export const postgresUrl = check("postgres://user:password@host:port/name", isPostgresUrl);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Defaults in the notation of the environment. With `postgres: null` a variable is required once DATABASE_URL is set. */
type Fallback = string | { embedded: string; postgres: string | null };

export type Variable<Output = unknown> = Value<Output> & {
  fallback: Fallback;
  description: string;
  isSecret: boolean;
};

export const variable = <Output>(value: Value<Output>, fallback: Fallback, description: string): Variable<Output> => ({
  ...value,
  fallback,
  description,
  isSecret: false,
});

const toNull = () => null;
const unset = v.pipe(v.literal(""), v.transform(toNull));

/** Describes a variable without a default: null when it is not set. */
export const optional = <Output>(inner: Value<Output>, description: string): Variable<Output | null> =>
  variable(value(inner.expects, v.union([unset, inner])), "", description);

/** Marks a variable whose value only the server may see. */
export const secret = <Output>(variable: Variable<Output>): Variable<Output> => ({ ...variable, isSecret: true });

/** Returns a variable's default in this environment; null: it must be set. */
export const getFallback = ({ fallback }: Variable, env: Environment): string | null =>
  typeof fallback === "string" ? fallback : env.DATABASE_URL ? fallback.postgres : fallback.embedded;
