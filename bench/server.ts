import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Client } from "pg";
import { sendCatalogue } from "#scripts/catalogue.ts";
import { endChildren, endOnSignal, root, type Server, startServer } from "#scripts/child-processes.ts";
import { demoFolder, describeShop } from "#scripts/shop-paths.ts";
import type { Call } from "#src/api/call.ts";
import { goodsLists } from "#src/api/goods.ts";
import { mallCreateOrder, mallOrderInfo } from "#src/api/order.ts";
import { createCatalogue } from "#tests/fixtures/catalogue.ts";
import { findPostgres, startPostgres } from "#tests/support/database/postgres.ts";
import { type Load, load } from "./load.ts";
import { createLoadUsers, createOrderScript } from "./orders.ts";

const members = 2000;
const connections = 100;
const buyers = 20;
const seconds = Number(process.env.BENCH_SECONDS ?? 8);

/** Measures the API server in one run on one machine, since figures of other runs are not comparable. */
export async function measureServer(): Promise<void> {
  endOnSignal(130);
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const bin = findPostgres();
  if (!bin) throw new Error("PostgreSQL is missing (Debian: apt-get install postgresql wrk)");
  const postgres = await startPostgres(bin, ["fsync=on", "shared_buffers=256MB"]);
  try {
    await postgres.run("create database bench");
    await measure(postgres.url("bench"), bin, folder);
  } finally {
    await endChildren();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, bin: string, folder: string): Promise<void> {
  const env = {
    ENV_FILE: "",
    PORT: "0",
    DATABASE_URL: url,
    DATA_DIR: folder,
    DEMO: "true",
    SMS: "console",
    PAYMENT: "sandbox",
    ACTIVATE_NEW_MEMBERS: "true",
    FLOOD_PER_MINUTE: "0",
  };
  const server = await startServer(env, { output: openSync(devNull, "w") });
  if ("status" in server) throw new Error(`the server ended with status ${server.status}`);
  const shop = describeShop(demoFolder, { ...env, SHOP_CACHE_DIR: folder });
  const { status, errors } = await sendCatalogue(shop, "apply", await createCatalogue(new Date()), { env });
  if (status !== 0) throw new Error(`the catalogue was not applied: ${errors}`);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const idle = readMemory(server);
  const client = new Client(url);
  client.on("error", () => {});
  await client.connect();
  const users = await createLoadUsers(client, members);
  const files = { goods: join(folder, "goods"), detail: join(folder, "detail"), order: join(folder, "order") };
  const formatRequest = ({ method, path }: Call, token = "", body: object | null = null) =>
    `${method}\t${path}\t${token}\t${body ? JSON.stringify(body) : ""}`;
  const createPayload = (address_id: string, client_request_id: string) => ({
    goods_uid: "tote",
    sku_uid: "tote",
    quantity: 1,
    address_id,
    note: "",
    expected_pay_fen: 11_000,
    client_request_id,
  });
  writeFileSync(files.goods, `${formatRequest(goodsLists)}\n`);
  const orders = users.map(({ token, addressId }) =>
    formatRequest(mallCreateOrder, token, createPayload(addressId, "bench-%d")),
  );
  writeFileSync(files.order, `${orders.join("\n")}\n`);
  const details = users.map(({ token, orderSn }) => formatRequest(mallOrderInfo, token, { order_sn: orderSn }));
  writeFileSync(files.detail, `${details.join("\n")}\n`);
  await client.query("analyze");

  console.log(`\n${connections} connections, ${seconds} s each, Node ${process.version}; PostgreSQL with fsync on\n`);
  print(["reads", "per second", "of empty", "p50 ms", "p99 ms", "p99/p50", "faults"]);
  const empty = await serveEmpty();
  for (const name of ["goods", "detail"] as const) {
    const floor = await measureLoad(empty.origin, files[name]);
    printLoad(`empty handler, ${name}`, floor, floor);
    printLoad(name === "goods" ? "goods list" : "order detail", await measureLoad(server.origin, files[name]), floor);
  }
  empty.close();

  const [first] = users;
  if (!first) throw new Error("no members were created");
  const { script, statements } = await createOrderScript(
    url,
    env,
    createPayload(first.addressId, "bench-first-0000"),
    first.memberId,
    members,
  );
  const file = join(folder, "order.sql");
  writeFileSync(file, script);
  console.log(`\n${buyers} buyers, ${seconds} s each; pgbench sends the same ${statements} statements, prepared\n`);
  print(["order creations", "per second", "of pgbench", "p50 ms", "p99 ms", "p99/p50", "faults"]);
  const pgbench = runPgbench(bin, url, file);
  const floor: Load = { perSecond: pgbench, faults: 0, p50: 0, p99: 0 };
  printLoad("pgbench", floor, floor);
  printLoad("server", await measureLoad(server.origin, files.order, buyers), floor);
  printLoad("pgbench again", { ...floor, perSecond: runPgbench(bin, url, file) }, floor);
  const loaded = readMemory(server);
  await client.end();

  console.log("");
  print(["memory of the server on PostgreSQL", "MB"]);
  print(["idle, three seconds after the start", Math.round(idle)]);
  print(["after the load above", Math.round(loaded)]);
  const data = mkdtempSync(join(folder, "embedded-"));
  const open = () => execFileSync(process.execPath, ["bench/open.ts", data], { cwd: root, encoding: "utf8" }).trim();
  print(["\nopening the embedded database", "ms"]);
  for (const name of ["for the first time", "once created", "once more"]) print([name, open()]);
}

/** Returns the resident memory of a server in MB, shared pages included. */
function readMemory({ child }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Serves an empty handler: the floor of the reads. */
function serveEmpty(): Promise<{ origin: string; close(): void }> {
  const app = new Hono();
  app.all("*", (c) => c.json({ code: 1, msg: "", data: {} }));
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => server.close() }),
    );
  });
}

async function measureLoad(origin: string, file: string, at = connections): Promise<Load> {
  const target = origin.replace("localhost", "127.0.0.1");
  await load(target, file, at, 2);
  return load(target, file, at, seconds);
}

function runPgbench(bin: string, url: string, file: string): number {
  const args = ["-n", "-M", "prepared", "-c", String(buyers), "-j", "1", "-T", String(seconds), "-f", file, url];
  const output = execFileSync(existsSync(join(bin, "pgbench")) ? join(bin, "pgbench") : "pgbench", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

function printLoad(name: string, { perSecond, p50, p99, faults }: Load, floor: Load): void {
  const share = `${Math.round((perSecond / floor.perSecond) * 100)} %`;
  const spread = p50 ? (p99 / p50).toFixed(1) : "";
  print([name, Math.round(perSecond), share, p50.toFixed(1), p99.toFixed(1), spread, faults]);
}

function print([name = "", ...cells]: (string | number)[]): void {
  console.log(`${String(name).padEnd(36)}${cells.map((cell) => String(cell).padStart(13)).join("")}`);
}
