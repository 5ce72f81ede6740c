import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { buildAndSwap, lockBuilds } from "#scripts/build.ts";
import { print, readContent, sendCatalogue } from "#scripts/catalogue.ts";
import { cleanStale, root, type Server, startServer } from "#scripts/child-processes.ts";
import { fingerprint, fingerprintFile, readBuilt } from "#scripts/fingerprint.ts";
import { demoFolder, describeShop } from "#scripts/shop-paths.ts";
import { countUpdates } from "#src/content/publish.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { figures } from "#tests/fixtures/catalogue.ts";
import { writePhotographs } from "#tests/fixtures/label/make-photographs.ts";
import { writeTestContent } from "./test-content.ts";

/** A running site. */
interface TestSite {
  origin: string;
  dist: string;
  /** The server's data folder. */
  data: string;
  cache: string;
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

const labelFolder = join(root, "tests/fixtures/label");

interface Options {
  /** Writes the shop's files into a new folder; by default the demo's are built as they are. */
  write?: (content: string) => Promise<void> | void;
  /** What is sold and booked before the tests. */
  figures?: object;
  /** Any free one by default. */
  port?: number | undefined;
  /** The folder of the shop's caches, by default a new one. A site that is in it already is not built again. */
  cache?: string;
}

/** Starts a server on new data, applies a shop's catalogue and builds its site into `folder`. Returns null after a failure, which it prints. */
export async function startTestSite(
  folder: string,
  { write, figures, cache, ...options }: Options = {},
): Promise<TestSite | null> {
  mkdirSync(folder, { recursive: true });
  const dist = join(folder, "dist");
  const log = join(folder, "server.log");
  const data = mkdtempSync(join(tmpdir(), "entrance-test-"));
  const port = options.port ?? (await getPort({ host: "127.0.0.1" }));
  const content = write ? join(folder, "content") : demoFolder;
  await write?.(content);
  const SHOP_CACHE_DIR = cache ?? join(folder, "cache");
  const shop = describeShop(content, { DEMO: "true", SITE_DIR: dist, DATA_DIR: data, SHOP_CACHE_DIR });
  const env = {
    ...shop.env,
    PORT: String(port),
    HOST_ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: "",
    ENV_FILE: "",
    ...limits,
  };
  const removeData = () => rmSync(data, { recursive: true, force: true });
  const files = await readContent(shop);
  const server = files && (await startServer(env, { output: openSync(log, "w") }));
  if (!server || "status" in server) {
    if (server) console.error(readFileSync(log, "utf8"));
    removeData();
    return null;
  }
  const end = async () => {
    await stopServer(server);
    removeData();
  };
  const now = new Date();
  const catalogue = toCatalogue(files, now);
  const applied = await sendCatalogue(shop, "apply", catalogue, { env, ...(figures && { figures: JSON.stringify(figures) }) });
  if (applied.status !== 0) print(applied);
  const build = async () => {
    const unlock = await lockBuilds(shop);
    const built = join(shop.cache, "dist");
    const hash = await fingerprint(content, server.origin, countUpdates(files, now));
    const job = { uid: catalogue.shop.uid, apiOrigin: server.origin, fingerprint: hash, now, verbose: false };
    const isBuilt =
      readBuilt(built, fingerprintFile) === hash || (await buildAndSwap({ ...job, shop: { ...shop, dist: built } }));
    // The tests of other runs may visit the cached one.
    rmSync(dist, { recursive: true, force: true });
    if (isBuilt) cpSync(built, dist, { recursive: true });
    unlock();
    return isBuilt;
  };
  if (applied.status !== 0 || !(await build())) {
    await end();
    return null;
  }
  return { origin: server.origin, dist, data, cache: shop.cache, end };
}

/** The caches of the sites that most tests visit: vitest and Playwright need the same. */
const caches = join(root, ".cache/tests");

/** Copies the demo's pictures and compressed files into the caches of another build: drawn and compressed anew, they are half of its time. */
export function copyCaches(to: string): void {
  for (const name of ["pictures", "brotli"]) cpSync(join(caches, "demo", name), join(to, name), { recursive: true });
}

/** Starts the site that most tests visit: the demo with the tests' catalogue. */
const startDemoSite = (folder: string) =>
  startTestSite(folder, { write: (content) => writeTestContent(content), figures, cache: join(caches, "demo") });

/** Starts the site of a label that is not the demo, with photographs. */
export function startLabelSite(folder: string, { port }: Pick<Options, "port"> = {}): Promise<TestSite | null> {
  return startTestSite(folder, {
    write: async (content) => {
      cpSync(labelFolder, content, { recursive: true, filter: (file) => !file.endsWith(".ts") });
      await writePhotographs(content);
    },
    figures: { stock: {}, sold: {}, booked: { tide: 80 } },
    cache: join(caches, "label"),
    port,
  });
}

async function stopServer(server: Server): Promise<void> {
  server.child.kill("SIGTERM");
  await server.ended;
}

/** Builds and starts the sites that tests visit, and sets their variables for the tests of this process. Returns a function that ends them. */
export async function startTestSites(withLabel: boolean): Promise<() => Promise<void>> {
  const results = join(root, "test-results");
  // Each run has a folder, as two may run at once.
  const folder = join(results, String(process.pid));
  mkdirSync(folder, { recursive: true });
  cleanStale(results, /^(\d+)$/);
  const sites = await Promise.all([startDemoSite(folder), ...(withLabel ? [startLabelSite(join(folder, "label"))] : [])]);
  const end = async () => void (await Promise.all(sites.map((site) => site?.end())));
  for (const [index, site] of sites.entries()) {
    if (!site) {
      await end();
      throw new Error("A site for the tests was not built: see above.");
    }
    const name = index === 0 ? "TEST" : "TEST_LABEL";
    const { origin, dist, data, cache } = site;
    const values = { ORIGIN: origin, DIST: dist, DATA_DIR: data, CACHE_DIR: cache };
    for (const [key, value] of Object.entries(values)) process.env[`${name}_${key}`] = value;
  }
  return end;
}
