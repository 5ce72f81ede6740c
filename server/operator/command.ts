import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { unwrapDatabaseError } from "#server/db/database.ts";
import { formatTime, startOfDay, toDay } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { Operator } from "#server/modules/audit/audit.ts";

/** Returns the text to print. `operator` is the user who runs the command. Throws OperatorError. */
export type Command = (args: string[], operator: string) => Promise<string>;

/** A command's exit status and the text to print. */
export interface CommandResult {
  status: 0 | 1;
  text: string;
}

/** Removes what a terminal takes for commands; texts of members and files reach it. CSV has CR. */
const removeControls = (text: string) => text.replace(/\r(?!\n)|[^\P{Cc}\n\r\t]/gu, "");

/** Runs a command by name. Never throws; logs the stack of an unexpected error. The text has no escapes of terminals. */
export async function executeCommand(
  commands: Record<string, Command>,
  name: string,
  args: string[],
  operator: string,
): Promise<CommandResult> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return { status: 1, text: `There is no command ${name}.` };
  try {
    return { status: 0, text: removeControls(await command(args, operator)) };
  } catch (error) {
    if (error instanceof OperatorError) return { status: 1, text: removeControls(error.message) };
    const cause = unwrapDatabaseError(error);
    // The stack alone, as for requests: other fields may contain values of rows.
    console.error(`A command failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
    return { status: 1, text: "The command failed: see the server's log for the reason." };
  }
}

/**
 * Splits arguments into `--name value` options, `--flag` options and the rest. Throws OperatorError for an option that is in neither list, and for one of `names`
 * without a value.
 */
export function parseArguments(args: string[], names: readonly string[], flagNames: readonly string[] = []) {
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

/** Returns the text of an option without control characters. Throws OperatorError. */
export function getRequiredText(options: Map<string, string>, name: string, max: number): string {
  const value = options.get(name)?.trim() ?? "";
  if (!isPlainText(value, max)) throw new OperatorError(`--${name} is required: 1 to ${max} characters.`);
  return value;
}

const isPlainText = (value: string, max: number) => /^[^\p{Cc}\p{Cs}]+$/u.test(value) && [...value].length <= max;

/** Returns the operator with the reason of `--why`, if there is one. Throws OperatorError. */
export function toOperator(name: string, options: Map<string, string>): Operator {
  const why = options.get("why")?.trim() ?? null;
  if (why !== null && !isPlainText(why, 200)) throw new OperatorError("--why has 1 to 200 characters.");
  return { name, why };
}

const requestSchema = v.object({ command: v.string(), args: v.array(v.string()), operator: v.string() });
type Request = v.InferOutput<typeof requestSchema>;

/** Bytes that an operating system accepts as a socket's path. */
const maxPathLength = 100;
const maxRequestLength = 64 * 1024;

const getSocketPath = (folder: string) => join(folder, "operator.sock");

/**
 * Listens for operator commands on a Unix socket in DATA_DIR (owner only), because only one process may open the embedded database. Returns null when the
 * folder's path is too long for a socket.
 */
export function listenForCommands(folder: string, commands: Record<string, Command>): Server | null {
  const file = getSocketPath(folder);
  if (Buffer.byteLength(file) > maxPathLength) return null;
  // A killed server leaves its socket; this process holds the folder's lock.
  rmSync(file, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let request = "";
    socket.setEncoding("utf8").setTimeout(60_000, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (text: string) => {
      request += text;
      if (request.length > maxRequestLength) socket.destroy();
    });
    socket.on("end", async () => {
      // Commands have no time limit.
      socket.setTimeout(0);
      socket.end(JSON.stringify(await handle(commands, request)));
    });
  });
  const umask = process.umask(0o177);
  server.listen(file, () => chmodSync(file, 0o600));
  process.umask(umask);
  return server;
}

async function handle(commands: Record<string, Command>, json: string): Promise<CommandResult> {
  const request = v.safeParse(v.pipe(v.string(), v.parseJson(), requestSchema), json);
  if (!request.success) return { status: 1, text: "The server cannot parse this command." };
  const { command, args, operator } = request.output;
  return executeCommand(commands, command, args, operator);
}

/** Sends a command to the running server and returns its result; null when no server runs. Throws OperatorError when the server ends meanwhile. */
export async function sendCommand(folder: string, request: Request): Promise<CommandResult | null> {
  const socket = connect(getSocketPath(folder));
  try {
    await once(socket, "connect");
  } catch (error) {
    if (error instanceof Error && "code" in error && absentCodes.has(String(error.code))) return null;
    throw error;
  }
  socket.end(JSON.stringify(request));
  try {
    return JSON.parse(await text(socket));
  } catch {
    throw new OperatorError("The server ended before it responded: check whether the command took effect.");
  }
}

/** Of a socket that nobody listens on. */
const absentCodes = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK", "EINVAL"]);

export const formatYuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;

/** Returns the beginning of a day in China. `name` is that of the argument. Throws OperatorError. */
export function parseDay(name: string, text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDay(text) : new Date(Number.NaN);
  // Date accepts 2026-02-31 as 3 March.
  if (Number.isNaN(time.getTime()) || toDay(time) !== text) throw new OperatorError(`${name} is a day, such as 2026-03-20.`);
  return time;
}

export type Cell = string | number | Date | null;

/** Formats rows as CSV that spreadsheets open: UTF-8 with a byte order mark, CRLF, times with zone, and no text that they take for a formula. */
export function formatCsv(rows: Cell[][]): string {
  return `\u{feff}${rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("")}`;
}

/**
 * Matches what a spreadsheet may calculate (OWASP, "CSV Injection"), in half width: signs that begin a formula, behind any blanks and invisible characters, and
 * a tab or line break that begins a cell.
 */
const formula = /^[\s\p{C}]*[=+\-−@]|^[\t\r\n]/u;

function formatCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  if (cell instanceof Date) return formatTime(cell);
  const text = formula.test(cell.normalize("NFKC")) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
