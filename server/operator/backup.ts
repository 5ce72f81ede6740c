import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { listAppliedMigrations } from "#server/db/migrations.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { type Command, parseArguments } from "./command.ts";
import { chunkByBytes, listTables, maxBatchRows, queryTextRows, selectContent, withDedicatedConnection } from "./tables.ts";

/** A table's row as JSON text, in which numbers keep all their digits. */
interface BackupRow {
  table: string;
  json: string;
}

const firstLine = v.object({
  // Its time is printed.
  backup: v.object({ format: v.literal(1), at: v.pipe(v.string(), v.isoTimestamp()), migrations: v.array(v.string()) }),
});
const lastLine = v.object({ end: v.object({ rows: v.record(v.string(), v.number()), sha256: v.string() }) });
/** Limits of a line, in characters, and of a row's levels of JSON: a file from elsewhere may be made to use up memory. */
const maxLineLength = 16 * 1024 * 1024;
const maxDepth = 32;

/** When the backup was written, and the migrations of its database. */
type BackupHeader = v.InferOutput<typeof firstLine>["backup"];

/**
 * Writes a backup: gzipped lines of JSON. The first is `{"backup":…}`, then follows `{"<table>":{…}}` per row, and the last contains the number of rows and a
 * hash of all lines before. The file is created whole or not at all. Returns the number of rows. Throws OperatorError when the file exists.
 */
async function writeBackup(file: string, header: BackupHeader, rows: AsyncIterable<BackupRow>): Promise<number> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  const toHashedLine = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  async function* createLines() {
    yield toHashedLine(JSON.stringify({ backup: header }));
    for await (const { table, json } of rows) {
      counts[table] = (counts[table] ?? 0) + 1;
      const line = `{"${table}":${json}}`;
      if (line.length > maxLineLength) throw new OperatorError(`A row of ${table} is larger than a backup can hold.`);
      yield toHashedLine(line);
    }
    yield `${JSON.stringify({ end: { rows: counts, sha256: hash.digest("hex") } })}\n`;
  }
  // Nobody else can have put a file or a link there.
  const temporaryFile = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(createLines, createGzip(), createWriteStream(temporaryFile, { flags: "wx", mode: 0o600, flush: true }));
    await link(temporaryFile, file);
  } catch (error) {
    throw toOperatorError(error, file);
  } finally {
    // Fails when the folder does not exist.
    await rm(temporaryFile, { force: true }).catch(() => {});
  }
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Reads a backup's header. Throws OperatorError. */
export async function readHeader(file: string): Promise<BackupHeader> {
  for await (const line of readLines(file)) return parseLine(firstLine, line, () => notBackupError(file)).backup;
  throw notBackupError(file);
}

/** Reads a backup's rows, each after the rows that it references. Throws OperatorError for a damaged file, at the latest after the last row. */
export async function* readRows(file: string): AsyncGenerator<BackupRow> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let end: v.InferOutput<typeof lastLine>["end"] | null = null;
  let isFirst = true;
  for await (const line of readLines(file)) {
    if (end) throw damagedError(file);
    const [, table, json] = /^\{"(\w+)":(\{.*\})\}$/s.exec(line) ?? [];
    if (!table || !json) throw isFirst ? notBackupError(file) : damagedError(file);
    if (table === "end") {
      end = parseLine(lastLine, line, () => damagedError(file)).end;
      continue;
    }
    hash.update(`${line}\n`);
    if (!isFirst) {
      // More than one object would be inserted as several rows, which are not counted.
      if (!isRow(json)) throw damagedError(file);
      counts[table] = (counts[table] ?? 0) + 1;
      yield { table, json };
    }
    isFirst = false;
  }
  if (!end || end.sha256 !== hash.digest("hex") || !isDeepStrictEqual(end.rows, counts)) throw damagedError(file);
}

/** Returns whether a text is one JSON object of at most `maxDepth` levels. They are counted before it is parsed, which takes memory for each. */
function isRow(json: string): boolean {
  let [depth, isText] = [0, false];
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[")) depth += 1;
    else if (!isText && (character === "}" || character === "]")) depth -= 1;
    if (depth > maxDepth) return false;
  }
  return v.is(v.pipe(v.string(), v.parseJson(), v.looseObject({})), json);
}

async function* readLines(file: string): AsyncGenerator<string> {
  const compressed = createReadStream(file);
  const decompressed = createGunzip({ chunkSize: 64 * 1024 });
  compressed.on("error", (error) => decompressed.destroy(error)).pipe(decompressed);
  // A line may span many chunks, which are joined once at its end.
  let parts: string[] = [];
  let length = 0;
  try {
    for await (const text of decompressed.setEncoding("utf8")) {
      const [end = "", ...lines] = text.split("\n");
      parts.push(end);
      length += end.length;
      if (length > maxLineLength) throw damagedError(file);
      if (lines.length === 0) continue;
      yield parts.join("");
      const begun = lines.pop() ?? "";
      [parts, length] = [[begun], begun.length];
      yield* lines;
    }
  } catch (error) {
    throw toOperatorError(error, file);
  } finally {
    compressed.destroy();
  }
  if (parts.some(Boolean)) throw damagedError(file);
}

function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  line: string,
  createError: () => Error,
): v.InferOutput<Schema> {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line);
  if (!result.success) throw createError();
  return result.output;
}

const notBackupError = (file: string) => new OperatorError(`${file} is not a backup of this server: nothing was changed.`);
const damagedError = (file: string) => new OperatorError(`${file} is truncated or damaged: nothing was restored.`);

/** Converts an error of the file to an OperatorError; returns any other unchanged. */
function toOperatorError(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EEXIST") return new OperatorError(`The file ${file} already exists.`);
  if (code === "ENOENT") return new OperatorError(`There is no file ${file}.`);
  if (code === "Z_BUF_ERROR") return damagedError(file);
  if (code === "Z_DATA_ERROR") return notBackupError(file);
  if (/^E[A-Z]+$/.test(code)) return new OperatorError(`${file} cannot be used (${code}).`);
  return error;
}

/** Creates the command that writes a consistent snapshot of the database into a file that both engines can restore. */
export function backupCommand(context: Context): Command {
  return async (args) => {
    const { rest } = parseArguments(args, []);
    const [file, ...more] = rest;
    if (!file || more.length > 0) throw new OperatorError("npm run backup -- <file>");
    const write = async (tx: Database) => {
      // Makes the format of times independent of the server's time zone.
      await tx.execute(sql`set local timezone = 'UTC'`);
      // Makes two cursors on one table return rows in the same order.
      await tx.execute(sql`set local synchronize_seqscans = off`);
      const header = { format: 1, at: context.now().toISOString(), migrations: await listAppliedMigrations(tx) } as const;
      return writeBackup(file, header, readTables(tx));
    };
    const snapshot = "isolation level repeatable read, read only";
    const rows = await withDedicatedConnection(context, (db) => db.runTransaction(write, snapshot));
    return rows === 1 ? `1 row is in ${file}.` : `${rows} rows are in ${file}.`;
  };
}

/** Reads all rows. A second cursor returns their sizes first, so that a batch exceeds `maxBatchBytes` only by a single row. */
async function* readTables(tx: Database): AsyncGenerator<BackupRow> {
  for (const table of await listTables(tx)) {
    const rows = sql`select row_to_json(t)::text as json from (${selectContent(table)}) t`;
    await tx.execute(sql`declare every_row no scroll cursor for ${rows}`);
    await tx.execute(sql`declare every_size no scroll cursor for select octet_length(json)::text as bytes from (${rows}) r`);
    for (;;) {
      const sizes = await queryTextRows(tx, sql.raw(`fetch ${maxBatchRows} from every_size`));
      for (const { length } of chunkByBytes(sizes, ({ bytes }) => Number(bytes))) {
        for (const { json = "" } of await queryTextRows(tx, sql.raw(`fetch ${length} from every_row`))) yield { table, json };
      }
      if (sizes.length < maxBatchRows) break;
    }
    await tx.execute(sql`close every_row`);
    await tx.execute(sql`close every_size`);
  }
}
