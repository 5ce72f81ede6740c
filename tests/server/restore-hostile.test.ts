// @module-tag full
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { queryTextRows } from "../../server/operator/tables.ts";
import { createEmptyServer, fillTables, newBackupFile, readAllRows } from "../support/database/backup.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { createTestServer } from "../support/processes/test-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(stopServersAndRemoveFolders);

async function createEmpty(engine: Engine) {
  const server = await createEmptyServer(engine);
  closing.push(server.close);
  return server;
}

function writeLines(lines: string[]): string {
  const file = newBackupFile();
  writeFileSync(file, gzipSync(`${lines.join("\n")}\n`));
  return file;
}

const damaged = "is truncated or damaged: nothing was restored.";
const foreign = "is not a backup of this server: nothing was changed.";

describeOnEngines("a file from elsewhere that is restored on %s", (engine) => {
  let lines: string[];
  beforeAll(async () => {
    const server = await createTestServer(engine);
    await fillTables(server);
    const file = newBackupFile();
    await server.runCommand("backup", file);
    lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n").slice(0, -1);
  });

  /** Writes a file with more lines before its end, whose numbers and hash fit them. */
  const writeForged = async (...more: string[]) => {
    const inner = [...lines.slice(0, -1), ...more];
    const rows: Record<string, number> = { ...JSON.parse(lines.at(-1) ?? "").end.rows };
    for (const line of more) {
      const [, table = ""] = /^\{"(\w+)/.exec(line) ?? [];
      rows[table] = (rows[table] ?? 0) + 1;
    }
    const sha256 = createHash("sha256")
      .update(`${inner.join("\n")}\n`)
      .digest("hex");
    return writeLines([...inner, JSON.stringify({ end: { rows, sha256 } })]);
  };

  it("refuses a file that is made to do more than restore rows of a shop, and changes nothing", async () => {
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    const roles = () => queryTextRows(other.db, sql`select rolname::text as name from pg_authid order by 1`);
    const rolesBefore = await roles();
    const member = JSON.parse(lines.find((line) => line.startsWith('{"members":')) ?? "").members;
    const forged = [1, 2].map((n) => ({
      ...member,
      id: `00000000-0000-0000-0000-00000000000${n}`,
      mobile: `1390000000${n}`,
      account: null,
    }));
    const noTable = (name: string) => `has rows of ${name}, which is no table of a shop: nothing was restored.`;
    const levels = (count: number) => `{"members":{"nickname":${"[".repeat(count)}${"]".repeat(count)}}}`;
    const hostile: [what: string, line: string, sentence: string][] = [
      [
        "a role of PostgreSQL",
        '{"pg_authid":{"oid":"4711","rolname":"evil","rolsuper":true,"rolcanlogin":true}}',
        noTable("pg_authid"),
      ],
      [
        "a setting of a role",
        '{"pg_db_role_setting":{"setdatabase":"0","setrole":"0","setconfig":["log_statement=all"]}}',
        noTable("pg_db_role_setting"),
      ],
      ["a view of PostgreSQL", '{"pg_settings":{"name":"archive_command","setting":"true"}}', noTable("pg_settings")],
      ["the secret key", '{"settings":{"name":"secret_key","value":"known"}}', noTable("settings")],
      ["the list of migrations", '{"__drizzle_migrations":{"id":99,"hash":"x"}}', noTable("__drizzle_migrations")],
      ["a table of another schema", '{"tables":{"table_name":"x"}}', noTable("tables")],
      ["a table in capitals", '{"MEMBERS":{"id":"x"}}', noTable("MEMBERS")],
      ["an unknown table", '{"vouchers":{"id":1}}', noTable("vouchers")],
      ["two rows in one line", `{"members":${JSON.stringify(forged[0])},${JSON.stringify(forged[1])}}`, damaged],
      ["a second table in one line", '{"members":{},"settings":{}}', damaged],
      ["no JSON", '{"members":{"id":}}', damaged],
      ["more levels of JSON than rows have", levels(200), damaged],
      ["levels without an end", `{"members":{"nickname":${"[".repeat(100_000)}}}`, damaged],
      ["a line that is longer than any row", `{"members":{"nickname":"${"x".repeat(17 * 1024 * 1024)}"}}`, damaged],
    ];
    for (const [what, line, sentence] of hostile) {
      const broken = await writeForged(line);
      expect({ what, ...(await other.runCommand("restore", broken)) }).toEqual({
        what,
        status: 1,
        text: `${broken} ${sentence}`,
      });
    }
    expect(await roles()).toEqual(rolesBefore);
    expect(await readAllRows(other)).toEqual(before);
    // A file that is only rewritten is accepted.
    expect((await other.runCommand("restore", await writeForged())).status).toBe(0);
  });

  it("prints nothing that a terminal takes for a command", async () => {
    const { backup } = JSON.parse(lines[0] ?? "");
    const code = "\u001b]0;owned\u0007\u001b[2J";
    const other = await createEmpty(engine);
    const dated = writeLines([JSON.stringify({ backup: { ...backup, at: code } }), ...lines.slice(1)]);
    expect(await other.runCommand("restore", dated)).toEqual({ status: 1, text: `${dated} ${foreign}` });
    for (const name of [code, "\u009b31m", "\u0090x", "\rok", "\u007f"]) {
      const { text } = await other.runCommand("restore", `/missing${name}`);
      expect(text).toMatch(/^There is no file \/missing/);
      expect(text).not.toMatch(/\p{Cc}/u);
    }
  });

  it("restores line separators of Unicode in texts", async () => {
    const server = await createTestServer(engine);
    await server.db.execute(sql`update members set nickname = ${"a\u2028b\u2029c\u0085d"} where account = 'demo'`);
    const own = newBackupFile();
    await server.runCommand("backup", own);
    const other = await createEmpty(engine);
    expect((await other.runCommand("restore", own)).status).toBe(0);
    expect(await readAllRows(other)).toEqual(await readAllRows(server));
  });
});
