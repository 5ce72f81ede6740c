import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as v from "valibot";
import { OperatorError } from "../lib/operator-error.ts";

/** A row of a table as its own JSON text, which no number loses a digit in. */
export interface Row {
  table: string;
  json: string;
}

/** What a backup says first: when it was made, and the migrations of the database that it is of. */
const head = v.object({ backup: v.object({ format: v.literal(1), at: v.string(), migrations: v.array(v.string()) }) });
const end = v.object({ end: v.object({ rows: v.record(v.string(), v.number()), sha256: v.string() }) });
export type Head = v.InferOutput<typeof head>["backup"];

/**
 * Writes a backup: lines of JSON, gzipped, that begin with `{"backup":…}`, hold a row each as `{"<table>":{…}}`, and end with how many there are and the hash
 * of all before. It is there whole or not at all. Returns the number of rows. Throws OperatorError where there is a file already.
 */
export async function writeBackup(file: string, about: Head, rows: AsyncIterable<Row>): Promise<number> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  const hashed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  async function* lines() {
    yield hashed(JSON.stringify({ backup: about }));
    for await (const { table, json } of rows) {
      counts[table] = (counts[table] ?? 0) + 1;
      yield hashed(`{"${table}":${json}}`);
    }
    yield `${JSON.stringify({ end: { rows: counts, sha256: hash.digest("hex") } })}\n`;
  }
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(lines, createGzip(), createWriteStream(draft, { mode: 0o600, flush: true }));
    await link(draft, file);
  } catch (error) {
    throw said(error, file);
  } finally {
    // Where the folder is none, there is nothing to take away.
    await rm(draft, { force: true }).catch(() => {});
  }
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** What a backup begins with. Throws OperatorError. */
export async function readHead(file: string): Promise<Head> {
  for await (const line of linesOf(file)) return parsed(head, line, () => noBackup(file)).backup;
  throw noBackup(file);
}

/** The rows of a backup, in the order in which they can be put back. Throws OperatorError, at the latest after the last one, for what is not as it was written. */
export async function* rowsOf(file: string): AsyncGenerator<Row> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let last: v.InferOutput<typeof end>["end"] | null = null;
  let first = true;
  for await (const line of linesOf(file)) {
    if (last) throw changed(file);
    const [, table, json] = /^\{"(\w+)":(\{.*\})\}$/.exec(line) ?? [];
    if (!table || !json) throw first ? noBackup(file) : changed(file);
    if (table === "end") {
      last = parsed(end, line, () => changed(file)).end;
      continue;
    }
    hash.update(`${line}\n`);
    if (!first) {
      counts[table] = (counts[table] ?? 0) + 1;
      yield { table, json };
    }
    first = false;
  }
  if (!last || last.sha256 !== hash.digest("hex") || !isSame(last.rows, counts)) throw changed(file);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const packed = createReadStream(file);
  const unpacked = createGunzip({ chunkSize: 64 * 1024 });
  packed.on("error", (error) => unpacked.destroy(error)).pipe(unpacked);
  // A line may come in many chunks: they are joined once, when its end is there.
  let parts: string[] = [];
  try {
    for await (const text of unpacked.setEncoding("utf8")) {
      const [end = "", ...lines] = text.split("\n");
      parts.push(end);
      if (lines.length === 0) continue;
      yield parts.join("");
      parts = [lines.pop() ?? ""];
      yield* lines;
    }
  } catch (error) {
    throw said(error, file);
  } finally {
    packed.destroy();
  }
  if (parts.some(Boolean)) throw changed(file);
}

function isSame(some: Record<string, number>, others: Record<string, number>): boolean {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...names].every((name) => some[name] === others[name]);
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, line: string, fault: () => Error): v.InferOutput<Schema> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line);
  if (!read.success) throw fault();
  return read.output;
}

const noBackup = (file: string) => new OperatorError(`${file} is no backup of this host: nothing was changed.`);
const changed = (file: string) => new OperatorError(`${file} is cut off, or was changed: nothing was restored.`);

/** A fault of the file in a sentence; any other as it is. */
function said(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EEXIST") return new OperatorError(`There is already a file ${file}.`);
  if (code === "ENOENT") return new OperatorError(`There is no ${file}.`);
  if (code === "Z_BUF_ERROR") return changed(file);
  if (code === "Z_DATA_ERROR") return noBackup(file);
  if (/^E[A-Z]+$/.test(code)) return new OperatorError(`${file} cannot be used (${code}).`);
  return error;
}
