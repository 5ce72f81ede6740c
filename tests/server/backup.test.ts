// @module-tag full
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { goods } from "../../server/db/schema/catalogue.ts";
import { orderRequests, orders } from "../../server/db/schema/order.ts";
import { sendLog } from "../../server/db/schema/session.ts";
import { createBuyer } from "../support/client/order.ts";
import {
  createEmptyServer,
  fillTables,
  firstColumns,
  newBackupFile,
  readAllRows,
  toFirstVersion,
} from "../support/database/backup.ts";
import { setStock } from "../support/database/catalogue.ts";
import { describeOnEngines, engines, hasPostgres } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { createTestServer, newMobile } from "../support/processes/test-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(stopServersAndRemoveFolders);

async function createEmpty(engine: (typeof engines)[number]) {
  const server = await createEmptyServer(engine);
  closing.push(server.close);
  return server;
}

const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const));

describe.each(pairs)("a backup of %s restored into %s", (from, to) => {
  it("contains the same rows, and the restored server creates new orders", async () => {
    const server = await createTestServer(from);
    await fillTables(server);
    const before = await readAllRows(server);
    const unfilled = Object.keys(before).filter((table) => before[table]?.length === 0);
    expect(unfilled).toEqual(["bill_comparisons", "other_notices", "payment_notices", "unmatched_payments"]);
    const file = newBackupFile();
    const count = Object.values(before).flat().length;
    expect(await server.runCommand("backup", file)).toEqual({ status: 0, text: `${count} rows are in ${file}.` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toHaveLength(1);

    const other = await createEmpty(to);
    const { status, text } = await other.runCommand("restore", file);
    expect({ status, text }).toMatchObject({
      status: 0,
      text: expect.stringMatching(`^${count} rows are restored as of `),
    });
    expect(await readAllRows(other)).toEqual(before);

    // Generated numbers continue, and sessions remain valid.
    const largest = Math.max(...(await other.db.select().from(sendLog)).map(({ id }) => id));
    const buyer = await createBuyer(other, newMobile());
    expect(Math.max(...(await other.db.select().from(sendLog)).map(({ id }) => id))).toBe(largest + 1);
    await buyer.order();
  });
});

describeOnEngines("the restore command on %s", (engine) => {
  let file: string;
  let lines: string[];
  beforeAll(async () => {
    const server = await createTestServer(engine);
    await fillTables(server);
    file = newBackupFile();
    await server.runCommand("backup", file);
    lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n").slice(0, -1);
  });
  const write = (text: string | Buffer) => {
    const broken = newBackupFile();
    writeFileSync(broken, typeof text === "string" ? gzipSync(text) : text);
    return broken;
  };
  const writeLines = (all: string[]) => write(`${all.join("\n")}\n`);
  const withMigrations = (change: (migrations: string[]) => string[]) => {
    const { backup } = JSON.parse(lines[0] ?? "");
    return [JSON.stringify({ backup: { ...backup, migrations: change(backup.migrations) } }), ...lines.slice(1)];
  };
  const damagedText = "is truncated or damaged: nothing was restored.";
  const foreignText = "is not a backup of this server: nothing was changed.";

  it("refuses a damaged, foreign or newer backup file with one sentence and changes no row", async () => {
    const broken: [what: string, file: string, sentence: string][] = [
      ["is cut in its last byte", write(readFileSync(file).subarray(0, -1)), damagedText],
      ["is cut in the middle", write(readFileSync(file).subarray(0, statSync(file).size / 2)), damagedText],
      ["lacks its end", writeLines(lines.slice(0, -1)), damagedText],
      ["lacks a row", writeLines(lines.toSpliced(5, 1)), damagedText],
      ["has a row twice", writeLines(lines.toSpliced(5, 0, lines[5] ?? "")), damagedText],
      ["has a figure changed", writeLines(lines.map((line) => line.replace('"stock":', '"stock":1'))), damagedText],
      ["goes on after its end", writeLines([...lines, lines[1] ?? ""]), damagedText],
      ["is a picture", write(Buffer.from("\x89PNG not a backup", "latin1")), foreignText],
      ["is another product's", writeLines(['{"dump":{}}', ...lines.slice(1)]), foreignText],
      [
        "is of a newer version",
        writeLines(withMigrations((migrations) => [...migrations, "later"])),
        "was written by a newer version of this server: restore it with that version. Nothing was changed.",
      ],
      [
        "is of another history",
        writeLines(withMigrations(([first = ""]) => [first, "other"])),
        "belongs to a database with other migrations: nothing was changed.",
      ],
    ];
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    for (const [what, brokenFile, sentence] of broken) {
      expect({ what, ...(await other.runCommand("restore", brokenFile)) }).toEqual({
        what,
        status: 1,
        text: `${brokenFile} ${sentence}`,
      });
      expect({ what, content: await readAllRows(other) }).toEqual({ what, content: before });
    }
    // The undamaged lines are accepted.
    expect((await other.runCommand("restore", writeLines(lines))).status).toBe(0);
  });

  it("rolls back when rows of the backup violate a foreign key", async () => {
    const { createHash } = await import("node:crypto");
    const inner = lines.slice(0, -1).filter((line) => !line.startsWith('{"members":'));
    const { end } = JSON.parse(lines.at(-1) ?? "");
    const { members: _, ...rows } = end.rows;
    const sha256 = createHash("sha256")
      .update(`${inner.join("\n")}\n`)
      .digest("hex");
    const broken = writeLines([...inner, JSON.stringify({ end: { rows, sha256 } })]);
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    expect(await other.runCommand("restore", broken)).toEqual({
      status: 1,
      text: `${broken} does not fit into this database (23503): nothing was restored.`,
    });
    expect(await readAllRows(other)).toEqual(before);
  });

  it("replaces existing data only with --replace everything", async () => {
    const server = await createTestServer(engine);
    await createBuyer(server);
    const before = await readAllRows(server);
    const { status, text } = await server.runCommand("restore", file);
    expect({ status, text }).toMatchObject({
      status: 1,
      text: expect.stringMatching(/^The database is not empty .*: nothing was changed\./),
    });
    expect(await readAllRows(server)).toEqual(before);
    expect((await server.runCommand("restore", file, "--replace", "everything")).status).toBe(0);
    const other = await createEmpty(engine);
    await other.runCommand("restore", file);
    expect(await readAllRows(server)).toEqual(await readAllRows(other));
  });

  it("restores a backup of the first version into the current tables", async () => {
    const { createHash } = await import("node:crypto");
    const old = withMigrations((migrations) => migrations.slice(0, 1)).slice(0, -1);
    const inner = [...old.slice(0, 1), ...old.slice(1).flatMap(toFirstVersion)];
    const { end } = JSON.parse(lines.at(-1) ?? "");
    const rows = Object.fromEntries(Object.entries(end.rows).filter(([table]) => firstColumns.has(table)));
    const sha256 = createHash("sha256")
      .update(`${inner.join("\n")}\n`)
      .digest("hex");
    const other = await createEmpty(engine);
    const { status, text } = await other.runCommand(
      "restore",
      writeLines([...inner, JSON.stringify({ end: { rows, sha256 } })]),
    );
    expect({ status, text }).toEqual({ status: 0, text: expect.stringMatching(/rows are restored/) });
    const restored = await other.db.select().from(orders);
    expect(restored).toHaveLength(end.rows.orders);
    expect(restored.every(({ queriedAt }) => queriedAt === null)).toBe(true);
    const [item] = await other.db.select().from(goods).where(eq(goods.uid, "tote"));
    expect(item?.images["en-US"][0]).toMatchObject({
      url: expect.stringMatching(/^\/pictures\/.*\.svg$/),
      alt: "Setlist tote",
    });
    await (await createBuyer(other)).order();
  });

  it("reports a missing file, and the backup command does not overwrite an existing file", async () => {
    const server = await createTestServer(engine);
    const missingFile = `${newBackupFile()}.missing`;
    expect(await server.runCommand("restore", missingFile)).toEqual({ status: 1, text: `There is no file ${missingFile}.` });
    expect(existsSync(missingFile)).toBe(false);
    const before = readFileSync(file);
    expect(await server.runCommand("backup", file)).toEqual({ status: 1, text: `The file ${file} already exists.` });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect((await server.runCommand("backup", `${file}/x/y`)).text).toMatch(/cannot be used \(ENOTDIR\)\.$/);
  });
});

it("writes into a file of its own, whatever others have put beside it", async () => {
  const server = await createTestServer("PGlite");
  const [file, target] = [newBackupFile(), newBackupFile()];
  writeFileSync(target, "not ours");
  const guesses = [`${file}.${process.pid}.part`, `${file}.part`, `${file}.tmp`];
  for (const guess of guesses) symlinkSync(target, guess);
  expect((await server.runCommand("backup", file)).status).toBe(0);
  expect(readFileSync(target, "utf8")).toBe("not ours");
  expect(lstatSync(file).isFile()).toBe(true);
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
});

describeOnEngines("a backup of %s under load", (engine) => {
  it("is a consistent snapshot: no partial order, and the stock matches the orders", async () => {
    const server = await createTestServer(engine);
    await setStock(server.db, "skus", "tote", 10_000);
    await server.db.execute(sql`update goods set limit_per_member = 99 where uid = 'tote'`);
    const buyers = [await createBuyer(server), await createBuyer(server), await createBuyer(server), await createBuyer(server)];
    let stopped = false;
    const ordering = buyers.map(async (buyer) => {
      for (let n = 0; n < 90 && !stopped; n += 1) await buyer.order();
    });
    const files = [newBackupFile(), newBackupFile(), newBackupFile()];
    for (const file of files) expect((await server.runCommand("backup", file)).status).toBe(0);
    stopped = true;
    await Promise.all(ordering);
    const counts = [];
    for (const file of files) {
      const other = await createEmpty(engine);
      expect((await other.runCommand("restore", file)).status).toBe(0);
      const orderCount = await other.db.$count(orders);
      expect(await other.db.$count(orderRequests)).toBe(orderCount);
      const [row] = await other.db
        .select({ stock: sql<number>`stock` })
        .from(sql`(select stock from skus where uid = 'tote') as s`);
      expect(row?.stock).toBe(10_000 - orderCount);
      counts.push(orderCount);
    }
    // Orders were created between the backups.
    expect(new Set(counts).size).toBeGreaterThan(1);
  });
});

it.runIf(hasPostgres)("backup tests run on both engines", () => {
  expect(pairs).toHaveLength(4);
});
