import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEnvFile } from "../server/config/env-file.ts";
import { activity } from "./conformance/activity.ts";
import { address, region } from "./conformance/address.ts";
import { runAssertions } from "./conformance/assertions.ts";
import { booking } from "./conformance/booking.ts";
import { catalogue } from "./conformance/catalogue.ts";
import { Client, type Row, runCheck } from "./conformance/client.ts";
import { concert } from "./conformance/concert.ts";
import {
  type CodeSource,
  type ConformanceContext,
  fromCommand,
  fromOutbox,
  fromTerminal,
  type Group,
  type Member,
} from "./conformance/context.ts";
import { goodsOrder, packageOrder } from "./conformance/order.ts";
import { orderList } from "./conformance/order-list.ts";
import { logOut, otherMember, session } from "./conformance/session.ts";
import { language, payload, transport } from "./conformance/transport.ts";

const row = (title: string, reason: string): Row => ({
  group: "time and faults",
  title,
  outcome: { state: "skipped", reason },
});

/** Rules of the contract that no client can check in a few seconds. */
const skipped: Row[] = [
  row("a code expires after 5 minutes, a session after 7 idle days or 30 days", "takes too long"),
  row("unpaid orders close after 30 minutes and return their stock", "takes too long"),
  row("paying, shipping and refunding change the status of an order", "requires the payment provider and the operator"),
  row("10500 with HTTP 500 and 10503 with HTTP 503 after an internal failure", "requires a failure"),
  row("429 with Retry-After above the rate limit", "this run respects the limit"),
  row("quotas of 5 codes per hour and 10 per day", "would lock the numbers out"),
];

interface Options {
  origin: string;
  codes: CodeSource | null;
  numbers: string[];
  siteOrigin: string | null;
  /** Stops after the first failed check. */
  failFast?: boolean;
}

export interface Report {
  rows: Row[];
  /** Data that remains on the server. */
  leftovers: string[];
  requests: number;
  loggedIn: boolean;
}

// The order matters: later groups need what earlier ones create.
const groups: Group[] = [
  transport,
  language,
  session,
  region,
  catalogue,
  payload,
  address,
  goodsOrder,
  packageOrder,
  otherMember,
  orderList,
  booking,
  activity,
  concert,
  { name: "log-out", checks: [logOut] },
];

/** Tests a server against the contract, over HTTP only. Never throws because of a response. */
export async function conform({ origin, codes, numbers, siteOrigin, failFast = false }: Options): Promise<Report> {
  const context: ConformanceContext = { client: new Client(origin), codes, numbers, siteOrigin, leftovers: [] };
  const rows: Row[] = [];
  for (const { name, checks } of groups) {
    for (const [title, check] of checks) {
      if (failFast && rows.some(({ outcome }) => outcome.state === "failed")) break;
      rows.push(await runCheck(name, title, () => check(context)));
    }
  }
  rows.push(...(await runAssertions(context.client.responses)), ...skipped);
  const members = [context.member, context.secondMember, context.inactive].filter(
    (member): member is Member => member !== undefined,
  );
  const toLeftover = ({ info, isLoggedOut }: Member) =>
    `the member ${info.mobile_masked}${isLoggedOut ? "" : ", with a session"}`;
  const leftovers = [...members.map(toLeftover), ...context.leftovers];
  return { rows, leftovers, requests: context.client.responses.length, loggedIn: context.member !== undefined };
}

/** Formats the report as a table for a terminal. */
function printReport({ rows, leftovers, requests }: Report): string {
  const lines = rows.map(({ group, title, outcome }, n) => {
    const heading = rows[n - 1]?.group === group ? "" : `\n${group}\n`;
    const reason = outcome.state === "passed" ? "" : `\n${" ".repeat(11)}${outcome.reason}`;
    return `${heading}  ${outcome.state.padEnd(9)}${title}${reason}`;
  });
  const count = (state: string) => rows.filter(({ outcome }) => outcome.state === state).length;
  const leftoverLines = leftovers.length > 0 ? ["", "Left on the server:", ...leftovers.map((item) => `  ${item}`)] : [];
  const summary = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${requests} requests`;
  return [...lines, ...leftoverLines, "", summary].join("\n");
}

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

// `npm run conformance -- <origin>` tests any server against the contract.
// Exit status 0: no check failed; 1: a check failed; 2: the server is not reachable, or the login failed.
if (import.meta.main) {
  loadEnvFile();
  const options = parseCommandLine();
  await fetch(options.origin).catch((error: Error) => exitWithError(`${options.origin} is not reachable: ${error.message}`));
  const report = await conform(options);
  console.log(printReport(report));
  if (report.rows.some(({ outcome }) => outcome.state === "failed")) process.exitCode = 1;
  else if (options.numbers.length > 0 && !report.loggedIn) process.exitCode = 2;
}
