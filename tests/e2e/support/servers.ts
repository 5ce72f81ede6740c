import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { readContent, sendCatalogue } from "#scripts/catalogue.ts";
import { describeShop } from "#scripts/shop-paths.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { figures } from "#tests/fixtures/catalogue.ts";
import { startTestSites } from "#tests/support/content/test-site.ts";
import { findPostgres, startPostgres } from "#tests/support/database/postgres.ts";
import { createSession } from "./member.ts";

/** Starts a second server for the same site on PostgreSQL; undefined where PostgreSQL is not installed or not tested. */
async function startPostgresServer(): Promise<{ origin: string; dataDir: string; stop(): Promise<void> } | undefined> {
  if (process.env.TEST_SCOPE === "quick" || process.env.TEST_SCOPE === "long") return undefined;
  const bin = findPostgres();
  if (!bin) {
    if (process.env.REQUIRE_POSTGRES) throw new Error("PostgreSQL was not found");
    return undefined;
  }
  const postgres = await startPostgres(bin);
  const dataDir = mkdtempSync(join(tmpdir(), "entrance-e2e-"));
  const services = {
    PORT: "0",
    DATA_DIR: dataDir,
    SITE_DIR: process.env.TEST_DIST ?? "dist",
    DATABASE_URL: postgres.url("postgres"),
    DEMO: "true",
    SMS: "console",
    PAYMENT: "sandbox",
    ACTIVATE_NEW_MEMBERS: "true",
    FLOOD_PER_MINUTE: "0",
    CODES_PER_HOUR_PER_IP: "100000",
  };
  const env = { ...process.env, ...services };
  const server = spawn(process.execPath, ["server/index.ts"], { stdio: ["ignore", "ignore", "inherit", "ipc"], env });
  const [{ listening }] = await once(server, "message");
  const shop = describeShop(join(env.SITE_DIR, "../content"), env);
  const content = await readContent(shop);
  if (!content) throw new Error("The shop of the tests has faults: see above.");
  const options = { env: { ...shop.env, ...services }, figures: JSON.stringify(figures) };
  const applied = await sendCatalogue(shop, "apply", toCatalogue(content, new Date()), options);
  if (applied.status !== 0) throw new Error(`The catalogue of the tests was not applied: ${JSON.stringify(applied)}`);
  const exited = once(server, "exit");
  const stop = async () => {
    server.kill("SIGTERM");
    await exited;
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { origin: listening, dataDir, stop };
}

/** Builds and starts the sites, and the PostgreSQL server; logs the inactive member in once at each server, because codes to one number have a pause. */
export default async function setUpServers(): Promise<() => Promise<void>> {
  const stopSites = await startTestSites(["full", "long"].includes(process.env.TEST_SCOPE ?? ""));
  let postgres: Awaited<ReturnType<typeof startPostgresServer>>;
  const stop = async () => {
    await postgres?.stop();
    await stopSites();
  };
  try {
    postgres = await startPostgresServer();
    process.env.TEST_ORIGIN_POSTGRES = postgres?.origin ?? "";
    process.env.TEST_DATA_DIR_POSTGRES = postgres?.dataDir ?? "";
    const { TEST_ORIGIN: origin = "", TEST_DATA_DIR: dataDir } = process.env;
    const servers = [{ origin, dataDir }, ...(postgres ? [postgres] : [])];
    const sessions = servers.map(async ({ origin, dataDir }) => [origin, await createSession(origin, "13800138001", dataDir)]);
    process.env.INACTIVE_SESSIONS = JSON.stringify(Object.fromEntries(await Promise.all(sessions)));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Line = Awaited<ReturnType<typeof openLine>>;

/** Opens a connection to a server that can be cut, and that can answer as a proxy whose server is gone. Offline mode of the browser alone lets some requests of a service worker through. */
export async function openLine(target: string) {
  const sockets = new Set<Socket>();
  let failure: number | undefined;
  const server = createServer((near) => {
    if (failure) {
      const lines = [`HTTP/1.1 ${failure} Bad Gateway`, "content-type: text/html", "connection: close"];
      near.on("error", () => {}).once("data", () => near.end(`${lines.join("\r\n")}\r\n\r\n<h1>Bad Gateway</h1>`));
      return;
    }
    const far = connect(Number(new URL(target).port), "localhost");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .once("close", () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://localhost:${port}`,
    close,
    fail(status: number): void {
      failure = status;
      for (const socket of sockets) socket.destroy();
    },
    async cut(context: BrowserContext): Promise<void> {
      close();
      await context.setOffline(true);
    },
    async mend(context: BrowserContext): Promise<void> {
      await once(server.listen(port), "listening");
      await context.setOffline(false);
    },
  };
}

/** What a test changes of the answers of a server. */
interface Answers {
  /** The service worker, in place of the site's. */
  worker: string | null;
  /** Milliseconds before a page is sent. */
  delay: number;
  /** Is added to the name of every script, as in a build with other code. Scripts of other builds are missing. */
  build: string;
  /** Files that are missing too. */
  missing: RegExp | null;
  /** The first request that matches is answered once `until` resolves: more would take all connections of the browser. */
  gate: { pattern: RegExp; until: Promise<void> } | null;
  /** Paths, in their order. */
  requests: string[];
}

/** Starts a server before the one of the tests. */
export async function startChangingServer() {
  const answers: Answers = { worker: null, delay: 0, build: "", missing: null, gate: null, requests: [] };
  const rename = (text: string, suffix: string) => text.replace(/(\.[\w-]{7,8})\.js\b/g, `$1${suffix}.js`);
  const isMissing = (url: string) =>
    answers.missing?.test(url) || (/^\/_astro\/.*\.js$/.test(url) && !url.endsWith(`${answers.build}.js`));
  const server = createHttpServer(async ({ url = "/", headers }, response) => {
    if (headers.accept?.startsWith("text/html")) await new Promise((resolve) => setTimeout(resolve, answers.delay));
    // A request is answered by the build at its time.
    const [suffix, isGone] = [answers.build, isMissing(url)];
    answers.requests.push(url);
    const { pattern, until } = answers.gate ?? {};
    if (pattern?.test(url) && answers.requests.filter((one) => pattern.test(one)).length === 1) await until;
    const answer = await fetch(process.env.TEST_ORIGIN + url.replace(`${suffix}.js`, ".js"));
    const type = answer.headers.get("content-type") ?? "";
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(isGone ? 404 : answer.status, { "content-type": type, "cache-control": "no-cache" });
    if (url === "/sw.js") response.end(answers.worker ?? `${body}// ${suffix}`);
    else response.end(/html|javascript/.test(type) ? rename(body.toString(), suffix) : body);
  });
  await once(server.listen(0), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${port}`, answers, close };
}
