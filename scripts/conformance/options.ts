import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CodeSource, fromCommand, fromOutbox, fromTerminal } from "./code-source.ts";
import type { Options } from "./run.ts";

export const usage = `npm run conformance -- <origin> [options]

  --member <mobile>         a number that may log in; give two, better three: the first acts, the second
                            looks on from outside, the third is not activated
  --code-command <command>  prints the login code that was sent to $MOBILE (since $SINCE)
  --outbox <file>           the outbox.jsonl of a host with SMS=console; for a host on this machine the one in DATA_DIR
                            (.data) is found, and numbers are made up
  --site-origin <origin>    an origin whose pages may call the host (CORS)

At a terminal, without either way to codes, you are asked for them.`;

/** Throws a sentence for invalid arguments. */
export function readOptions(args: string[], env: Record<string, string | undefined>): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      member: { type: "string", multiple: true },
      "code-command": { type: "string" },
      outbox: { type: "string" },
      "site-origin": { type: "string" },
    },
  });
  const [origin, ...more] = positionals;
  if (!origin || more.length > 0 || !URL.canParse(origin))
    throw new Error("One origin is to be named, such as http://localhost:4321");
  const own = values.outbox ?? findOutbox(new URL(origin), env.DATA_DIR || ".data");
  const made = own && !values["code-command"] && !values.member ? inventNumbers() : [];
  const numbers = values.member ?? made;
  return {
    origin: new URL(origin).origin,
    codes: createCodeSource(values["code-command"], own, numbers.length > 0),
    numbers,
    siteOrigin: values["site-origin"] ?? null,
  };
}

function createCodeSource(command: string | undefined, outbox: string | null, hasNumbers: boolean): CodeSource | null {
  if (command) return fromCommand(command);
  if (outbox) return fromOutbox(outbox);
  return hasNumbers && process.stdin.isTTY ? fromTerminal : null;
}

function findOutbox({ hostname }: URL, folder: string): string | null {
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return isHere && existsSync(folder) ? join(folder, "outbox.jsonl") : null;
}

/** Returns random numbers for a server that sends no messages; the third is the inactive member of the demo data. */
function inventNumbers(): string[] {
  const number = () => `199${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  return [number(), number(), "13800138001"];
}
