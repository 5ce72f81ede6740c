import * as v from "valibot";
import { type Value, value } from "./values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Defaults in the notation of the environment. With `postgres: null` a variable is required once DATABASE_URL is set. */
export type Fallback = string | { embedded: string; postgres: string | null };

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
