import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres, startPostgres } from "../../support/postgres.ts";
import { newSession } from "./member.ts";

/** A second host, on PostgreSQL, that serves the same site; undefined where there is no PostgreSQL. */
async function startOnPostgres(): Promise<{ origin: string; data: string; end(): Promise<void> } | undefined> {
  const bin = findPostgres();
  if (!bin) {
    if (process.env.REQUIRE_POSTGRES) throw new Error("PostgreSQL was not found");
    return undefined;
  }
  const postgres = await startPostgres(bin);
  const data = mkdtempSync(join(tmpdir(), "entrance-e2e-"));
  const server = spawn(process.execPath, ["server/index.ts"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      PORT: "0",
      DATA_DIR: data,
      SITE_DIR: process.env.TEST_DIST ?? "dist",
      DATABASE_URL: postgres.url("postgres"),
      SEED: "demo",
      SMS: "console",
      PAYMENT: "sandbox",
      ACTIVATE_NEW_MEMBERS: "true",
      FLOOD_PER_MINUTE: "0",
      CODES_PER_HOUR_PER_IP: "100000",
    },
  });
  const [{ listening }] = await once(server, "message");
  const ended = once(server, "exit");
  const end = async () => {
    server.kill("SIGTERM");
    await ended;
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  };
  return { origin: listening, data, end };
}

/** Before all tests: the host on PostgreSQL; and the member who is not activated logs in once at each, since codes to one number have their pauses. */
export default async function setUpServers(): Promise<(() => Promise<void>) | undefined> {
  const postgres = await startOnPostgres();
  if (postgres) {
    process.env.TEST_ORIGIN_POSTGRES = postgres.origin;
    process.env.TEST_DATA_DIR_POSTGRES = postgres.data;
  }
  const servers = [
    { origin: process.env.TEST_ORIGIN ?? "http://localhost:4321", data: process.env.TEST_DATA_DIR },
    ...(postgres ? [postgres] : []),
  ];
  try {
    const sessions = await Promise.all(
      servers.map(async ({ origin, data }) => [origin, await newSession(origin, "13800138001", data)]),
    );
    process.env.INACTIVE_SESSIONS = JSON.stringify(Object.fromEntries(sessions));
  } catch (error) {
    await postgres?.end();
    throw error;
  }
  return postgres?.end;
}
