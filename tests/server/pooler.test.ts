// @module-tag full
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import getPort from "get-port";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { hasPostgres, newPostgres } from "../support/database/database.ts";
import {
  newFolder,
  spawnServer,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "../support/processes/child-process.ts";
import { queryDatabase } from "../support/races/faults.ts";

const program = (process.env.PATH ?? "")
  .split(":")
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));

afterEach(stopServersAndRemoveFolders);

/** Starts PgBouncer with the settings that it is installed with, and returns the URL of a database through it. */
async function startPooler(url: string, mode: "session" | "transaction"): Promise<string> {
  const port = await getPort();
  const { hostname, port: target, pathname } = new URL(url);
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]\n${pathname.slice(1)} = host=${hostname} port=${target} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n`,
  );
  // It refuses to run as root.
  const pooler = spawn(program ?? "", [...(process.getuid?.() === 0 ? ["-u", "postgres"] : []), file], { stdio: "ignore" });
  const ended = once(pooler, "exit");
  onTestFinished(async () => {
    pooler.kill("SIGKILL");
    await ended;
  });
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("connect", () => resolve(socket.destroy() !== null)).on("error", () => resolve(false));
    });
  await expect.poll(accepts, { timeout: 20_000 }).toBe(true);
  return `postgres://postgres@127.0.0.1:${port}${pathname}`;
}

const readGoods = async (origin: string) => (await clientAt(origin).send(contract.goodsLists)).status;

describe.skipIf(!hasPostgres || !program)("a server behind PgBouncer", () => {
  it("in session mode is started on an empty database and serves calls", async () => {
    const url = await startPooler(await newPostgres("empty"), "session");
    const server = await startServer(withPostgres(url, newFolder()));
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    expect(await Promise.all(Array.from({ length: 30 }, () => readGoods(server.origin)))).toEqual(Array(30).fill(200));
  });

  it("in transaction mode leaves no lock behind that keeps the next start waiting", async () => {
    const direct = await newPostgres("empty");
    const url = await startPooler(direct, "transaction");
    const first = spawnServer(withPostgres(url, newFolder()));
    await Promise.race([once(first.child, "message"), first.ended]);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(await queryDatabase(direct, (run) => run("select from pg_locks where locktype = 'advisory'"))).toEqual([]);
    const second = await startServer(withPostgres(direct, newFolder()));
    expect(await readGoods(second.origin)).toBe(200);
  });
});
