// @module-tag full
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { newBackupFile } from "../support/database/backup.ts";
import { hasPostgres } from "../support/database/database.ts";
import { findPostgres, startPostgres } from "../support/database/postgres.ts";
import { createShop } from "../support/database/setup.ts";
import {
  newFolder,
  runCommand,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "../support/processes/child-process.ts";
import { queryDatabase } from "../support/races/faults.ts";

afterEach(stopServersAndRemoveFolders);

describe.skipIf(!hasPostgres)("the database of compose.yaml", () => {
  const compose = readFileSync("compose.yaml", "utf8");
  const [, script = ""] = /^ {6}- \.\/(\S+):\/docker-entrypoint-initdb\.d\/\S+\.sql:ro$/m.exec(compose) ?? [];
  const password = "it's $1";
  const toUrl = (port: string) => {
    const urls = Array.from(compose.matchAll(/DATABASE_URL: (\S+)/g), ([, url = ""]) => url);
    expect(new Set(urls).size).toBe(1);
    return (urls[0] ?? "")
      .replace(/\$\{POSTGRES_PASSWORD:-\w+\}/, encodeURIComponent(password))
      .replace("database:5432", `127.0.0.1:${port}`);
  };

  it("has a role for the server that is no superuser, and does all that a shop needs", async () => {
    expect(compose).not.toMatch(/POSTGRES_(USER|DB):/);
    const bin = findPostgres() ?? "";
    const postgres = await startPostgres(bin);
    onTestFinished(() => postgres.stop());
    await postgres.requirePassword("all");
    // The image runs it so, through the container's socket, which needs no password.
    const { port } = new URL(postgres.url(""));
    const socket = postgres.socketFolder;
    await execa(
      join(bin, "psql"),
      ["-v", "ON_ERROR_STOP=1", "--no-psqlrc", "-h", socket, "-p", port, "-U", "postgres", "-d", "postgres", "-f", script],
      {
        env: { POSTGRES_PASSWORD: password },
      },
    );
    const url = toUrl(port);
    const server = await startServer(withPostgres(url, newFolder()));
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await createShop(url);
    expect((await clientAt(server.origin).send(contract.goodsLists)).status).toBe(200);
    const env = withPostgres(url, newFolder());
    const file = newBackupFile();
    expect(await runCommand(env, "backup", file)).toMatchObject({ status: 0 });
    expect(await runCommand(env, "restore", file, "--replace", "everything")).toMatchObject({ status: 0 });
    await queryDatabase(url, async (run) => {
      const [role] = await run(
        "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as may from pg_roles where rolname = current_user",
      );
      expect(role).toEqual({ may: false });
      await expect(run("copy (select 1) to program 'true'")).rejects.toMatchObject({ code: "42501" });
    });
    // Neither with the role's password nor without one.
    for (const attempt of [encodeURIComponent(password), "postgres"]) {
      const asSuperuser = url.replace(/\/\/[^@]+@/, `//postgres:${attempt}@`);
      await expect(queryDatabase(asSuperuser, async () => {})).rejects.toThrow("password authentication failed");
    }
  });
});
