import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { buildAndSwap } from "./build-and-swap.ts";
import { endOnSignal, root } from "./process.ts";
import { type Server, startServer } from "./server.ts";
import { demoFolder, describeShop } from "./shop.ts";
import { writeTestContent } from "./test-content.ts";

/** Environment of the build and browser tests. */
export interface TestSite {
  env: { TEST_ORIGIN: string; TEST_DIST: string; TEST_DATA_DIR: string; TEST_HOST_LOG: string };
  end(): Promise<void>;
}

// Many tests log in from one address; server tests cover these limits.
const limits = {
  FLOOD_PER_MINUTE: "0",
  CODES_PER_HOUR: "100000",
  CODES_PER_DAY: "100000",
  CODES_PER_HOUR_PER_IP: "100000",
  CODES_PER_HOUR_HOST: "100000",
};

interface Options {
  /** Changes the content in a copy of the demo's; `origin` is the server's. */
  prepare?: (content: string, origin: string) => Promise<void>;
  /** By default any free one. */
  port?: number;
  /** By default a new folder. */
  data?: string;
}

/** Starts a server on new data and builds the site against it into `folder`, from the demo's content or from a copy of it that `prepare` changes. Returns null after a failure, which it prints. */
export async function startTestSite(folder: string, { prepare, ...options }: Options = {}): Promise<TestSite | null> {
  mkdirSync(folder, { recursive: true });
  const dist = join(folder, "dist");
  const log = join(folder, "server.log");
  const data = options.data ?? mkdtempSync(join(tmpdir(), "entrance-test-"));
  const port = options.port ?? (await getPort({ host: "127.0.0.1" }));
  const origin = `http://localhost:${port}`;
  const content = prepare ? join(folder, "content") : demoFolder;
  if (prepare) cpSync(demoFolder, content, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  const shop = describeShop(content, { DEMO: "true", SITE_DIR: dist, DATA_DIR: data, SHOP_CACHE_DIR: join(folder, "cache") });
  const env = {
    ...shop.env,
    PORT: String(port),
    HOST_ORIGIN: origin,
    DATABASE_URL: "",
    ENV_FILE: "",
    ...limits,
  };
  const server = await startServer(env, { output: openSync(log, "w") });
  const removeData = () => rmSync(data, { recursive: true, force: true });
  if ("status" in server) {
    console.error(readFileSync(log, "utf8"));
    removeData();
    return null;
  }
  const end = async () => {
    await stopServer(server);
    removeData();
  };
  await prepare?.(content, server.origin);
  const built = await buildAndSwap({ shop, uid: "test", apiOrigin: server.origin, fingerprint: "test", verbose: false });
  if (!built) {
    await end();
    return null;
  }
  return { env: { TEST_ORIGIN: server.origin, TEST_DIST: dist, TEST_DATA_DIR: data, TEST_HOST_LOG: log }, end };
}

async function stopServer(server: Server): Promise<void> {
  server.child.kill("SIGTERM");
  await server.ended;
}

const aloneFolder = join(root, "test-results", "alone");
const aloneData = join(tmpdir(), "entrance-test-alone");

/** Environment of the tests when Playwright starts the site itself, by running this file: `npx playwright test`, editors. */
export const aloneEnv: TestSite["env"] = {
  TEST_ORIGIN: "http://localhost:4399",
  TEST_DIST: join(aloneFolder, "dist"),
  TEST_DATA_DIR: aloneData,
  TEST_HOST_LOG: join(aloneFolder, "server.log"),
};

if (import.meta.main) {
  endOnSignal();
  for (const folder of [aloneFolder, aloneData]) rmSync(folder, { recursive: true, force: true });
  const site = await startTestSite(aloneFolder, { prepare: writeTestContent, port: 4399, data: aloneData });
  if (!site) process.exit(1);
}
