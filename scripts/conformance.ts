import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEnvFile } from "../server/config/env-file.ts";
import { type CodeSource, fromCommand, fromOutbox, fromTerminal } from "./conformance/code-source.ts";
import { conform, type Options, printReport } from "./conformance/run.ts";

const usage = `npm run conformance -- <origin> [options]

  --member <mobile>         a number that can log in; pass at least two, better three. The first runs the checks, the
                            second verifies isolation, the third is not activated
  --code-command <command>  prints the login code sent to $MOBILE after $SINCE
  --outbox <file>           the outbox.jsonl of a server with SMS=console. Default for a server on this machine:
                            the file in DATA_DIR (.data), with random numbers
  --site-origin <origin>    an origin whose pages may call the server (CORS)
  --fail-fast               stops the checks after the first failure

Without --code-command and --outbox, the command prompts for the codes at a terminal.`;

/** Parses the command line. Throws an error whose message is one sentence for invalid arguments. */
function parseOptions(args: string[], env: Record<string, string | undefined>): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      member: { type: "string", multiple: true },
      "code-command": { type: "string" },
      outbox: { type: "string" },
      "site-origin": { type: "string" },
      "fail-fast": { type: "boolean" },
    },
  });
  const [origin, ...more] = positionals;
  if (!origin || more.length > 0 || !URL.canParse(origin))
    throw new Error("The command requires one origin, such as http://localhost:4321");
  const outbox = values.outbox ?? findOutbox(new URL(origin), env.DATA_DIR || ".data");
  const generatedNumbers = outbox && !values["code-command"] && !values.member ? generateNumbers() : [];
  const numbers = values.member ?? generatedNumbers;
  return {
    origin: new URL(origin).origin,
    codes: createCodeSource(values["code-command"], outbox, numbers.length > 0),
    numbers,
    siteOrigin: values["site-origin"] ?? null,
    failFast: values["fail-fast"],
  };
}

function createCodeSource(command: string | undefined, outbox: string | null, hasNumbers: boolean): CodeSource | null {
  if (command) return fromCommand(command);
  if (outbox) return fromOutbox(outbox);
  return hasNumbers && process.stdin.isTTY ? fromTerminal : null;
}

function findOutbox({ hostname }: URL, folder: string): string | null {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return isLocal && existsSync(folder) ? join(folder, "outbox.jsonl") : null;
}

/** Returns random numbers for a server that sends no messages; the third is the inactive member of the demo data. */
function generateNumbers(): string[] {
  const number = () => `199${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
  return [number(), number(), "13800138001"];
}

// `npm run conformance -- <origin>` tests any server against the contract.
// Exit status 0: no check failed; 1: a check failed; 2: the server is not reachable, or the login failed.
loadEnvFile();
const options = parseCommandLine();
await fetch(options.origin).catch((error: Error) => exitWithError(`${options.origin} is not reachable: ${error.message}`));
const report = await conform(options);
console.log(printReport(report));
if (report.rows.some(({ outcome }) => outcome.state === "failed")) process.exitCode = 1;
else if (options.numbers.length > 0 && !report.loggedIn) process.exitCode = 2;

function parseCommandLine(): Options {
  try {
    return parseOptions(process.argv.slice(2), process.env);
  } catch (error) {
    return exitWithError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function exitWithError(message: string): never {
  console.error(message);
  process.exit(2);
}
