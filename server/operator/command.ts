import { OperatorError } from "../lib/operator-error.ts";

/** What a command answers is printed as it is. Throws OperatorError for what a person can mend. */
export type Command = (args: string[]) => Promise<string>;

/** `--name value` pairs and the rest. Throws OperatorError for a name that is not known, or stands without a value. */
export function readArguments(args: string[], known: readonly string[]): { rest: string[]; options: Map<string, string> } {
  const rest: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const [arg = "", value] = [args[at], args[at + 1]];
    if (!arg.startsWith("--")) {
      rest.push(arg);
      continue;
    }
    const name = arg.slice(2);
    if (!known.includes(name)) throw new OperatorError(`There is no ${arg}.`);
    if (!value || value.startsWith("--")) throw new OperatorError(`${arg} needs a value.`);
    options.set(name, value);
    at += 1;
  }
  return { rest, options };
}
