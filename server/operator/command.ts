import { unwrapDatabaseError } from "../db/database.ts";
import { OperatorError } from "../lib/errors.ts";

/** Returns the text to print. Throws OperatorError. */
export type Command = (args: string[]) => Promise<string>;

/** A command's exit status and the text to print. */
export interface CommandResult {
  status: 0 | 1;
  text: string;
}

/** Runs a command by name. Never throws; logs the stack of an unexpected error. */
export async function executeCommand(commands: Record<string, Command>, name: string, args: string[]): Promise<CommandResult> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return { status: 1, text: `There is no command ${name}.` };
  try {
    return { status: 0, text: await command(args) };
  } catch (error) {
    if (error instanceof OperatorError) return { status: 1, text: error.message };
    const cause = unwrapDatabaseError(error);
    // The stack alone, as for requests: other fields may contain values of rows.
    console.error(`A command failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
    return { status: 1, text: "The command failed: see the server's log for the reason." };
  }
}

interface Arguments {
  rest: string[];
  options: Map<string, string>;
  flags: Set<string>;
}

/**
 * Splits arguments into `--name value` options, `--flag` options and the rest. Throws OperatorError for an option that is in neither list, and for one of `names`
 * without a value.
 */
export function parseArguments(args: string[], names: readonly string[], flagNames: readonly string[] = []): Arguments {
  const rest: string[] = [];
  const flags = new Set<string>();
  const options = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const [arg = "", value] = [args[index], args[index + 1]];
    if (!arg.startsWith("--")) {
      rest.push(arg);
      continue;
    }
    const name = arg.slice(2);
    if (flagNames.includes(name)) {
      flags.add(name);
      continue;
    }
    if (!names.includes(name)) throw new OperatorError(`There is no option ${arg}.`);
    if (!value || value.startsWith("--")) throw new OperatorError(`${arg} requires a value.`);
    options.set(name, value);
    index += 1;
  }
  return { rest, options, flags };
}
