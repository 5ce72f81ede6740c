import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { Call } from "../src/api/call.ts";
import { codes } from "../src/api/envelope.ts";
import { goodsLists } from "../src/api/goods.ts";
import { mallCreateOrder, mallOrderInfo } from "../src/api/order.ts";
import { createCatalogue } from "../tests/fixtures/catalogue.ts";
import { findPostgres, startPostgres } from "../tests/support/database/postgres.ts";
import { floodWithCodes, type Load, load } from "./load.ts";
import { createLoadUsers, createOrderScript } from "./orders.ts";
import { type BenchProcess, readMemory, start, stop } from "./process.ts";

const members = 2000;
const connections = 100;
const buyers = 20;
/** Connections of the reads beside a flood: few, so that reads do not wait for each other. */
const readers = 10;
/** Code requests per second. */
const codesPerSecond = 400;
const seconds = Number(process.env.BENCH_SECONDS ?? 8);

/** Measures the API server in one run on one machine, since figures of other runs are not comparable. */
export async function measureServer(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const bin = findPostgres();
  if (!bin) throw new Error("PostgreSQL is missing (Debian: apt-get install postgresql wrk)");
  const postgres = await startPostgres(bin, ["fsync=on", "shared_buffers=256MB"]);
  try {
    await postgres.run("create database bench");
    await measure(postgres.url("bench"), bin, folder);
    return 0;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, bin: string, folder: string): Promise<void> {
  const env = {
    PORT: "0",
    DATABASE_URL: url,
    DATA_DIR: folder,
    DEMO: "true",
    SMS: "console",
    PAYMENT: "sandbox",
    ACTIVATE_NEW_MEMBERS: "true",
    FLOOD_PER_MINUTE: "0",
  };
  const server = await start(["server/index.ts"], env);
  const catalogue = join(folder, "catalogue.json");
  writeFileSync(catalogue, JSON.stringify(await createCatalogue(new Date())));
  execFileSync(process.execPath, ["server/operator.ts", "catalogue", "apply", catalogue], { env: { ...process.env, ...env } });
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

  const empty = await start(["bench/process.ts", "empty"]);
  console.log(`\n${connections} connections, ${seconds} s each, Node ${process.version}; PostgreSQL with fsync on\n`);
  print(["reads", "per second", "of empty", "p50 ms", "p90 ms", "p99 ms", "p99/p50", "faults"]);
  for (const name of ["goods", "detail"] as const) {
    const floor = await measureLoad([empty], files[name]);
    printLoad(`empty handler, ${name}`, floor, floor);
    printLoad(name === "goods" ? "goods list" : "order detail", await measureLoad([server], files[name]), floor);
  }
  await stop(empty);
  await measureFlood(server, files.detail);

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
  print(["order creations", "per second", "of pgbench", "p50 ms", "p90 ms", "p99 ms", "p99/p50", "faults"]);
  const pgbench = runPgbench(bin, url, file);
  const floor: Load = { perSecond: pgbench, faults: 0, p50: 0, p90: 0, p99: 0 };
  printLoad("pgbench", floor, floor);
  printLoad("server", await measureLoad([server], files.order, buyers), floor);
  printLoad("pgbench again", { ...floor, perSecond: runPgbench(bin, url, file) }, floor);
  const loaded = readMemory(server);

  console.log("");
  print(["processes", "goods list", "order detail", "creations"]);
  const servers = [server];
  for (const count of [1, 2, 4]) {
    while (servers.length < count) servers.push(await start(["server/index.ts"], env));
    const measureFile = async (name: keyof typeof files, at: number) =>
      Math.round((await measureLoad(servers, files[name], at)).perSecond);
    print([
      `${count}`,
      await measureFile("goods", connections),
      await measureFile("detail", connections),
      await measureFile("order", buyers),
    ]);
  }
  await stop(...servers);
  await client.end();

  console.log("");
  print(["memory of the server on PostgreSQL", "MB"]);
  print(["idle, three seconds after the start", Math.round(idle)]);
  print(["after the load above", Math.round(loaded)]);
  const data = mkdtempSync(join(folder, "embedded-"));
  print(["\nopening the embedded database", "ms"]);
  for (const name of ["for the first time", "once created", "once more"]) print([name, await measureOpening(data)]);
}

/** Measures reads alone and beside code requests, which exhaust their quota in the first seconds and are rejected afterwards. */
async function measureFlood(server: BenchProcess, file: string): Promise<void> {
  console.log(
    `\n${readers} connections, ${seconds} s each; ${codesPerSecond} requests for codes per second from 250 addresses\n`,
  );
  print(["order detail", "per second", "of alone", "p50 ms", "p90 ms", "p99 ms", "p99/p50", "faults"]);
  const alone = await measureLoad([server], file, readers);
  printLoad("alone", alone, alone);
  const flood = floodWithCodes(String(server.firstMessage.listening), codesPerSecond);
  printLoad("beside a flood of code requests", await measureLoad([server], file, readers), alone);
  const { responses, completed, ms } = await flood.stop();
  const rejected = responses.get(codes.tooFrequent) ?? 0;
  print(["responses during the flood, per second", Math.round((completed / ms) * 1000)]);
  print([
    "codes sent / rejected / other",
    responses.get(1) ?? 0,
    rejected,
    total(responses) - rejected - (responses.get(1) ?? 0),
  ]);
}

const total = (counts: ReadonlyMap<number, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

async function measureOpening(data: string): Promise<number> {
  const { child, firstMessage } = await start(["bench/process.ts", "open", data]);
  await new Promise((resolve) => child.once("exit", resolve));
  return Math.round(Number(firstMessage.opened));
}

async function measureLoad(servers: BenchProcess[], file: string, at = connections): Promise<Load> {
  const origins = servers.map(({ firstMessage }) => String(firstMessage.listening).replace("localhost", "127.0.0.1"));
  await load(origins, file, at, 2);
  return load(origins, file, at, seconds);
}

function runPgbench(bin: string, url: string, file: string): number {
  const args = ["-n", "-M", "prepared", "-c", String(buyers), "-j", "1", "-T", String(seconds), "-f", file, url];
  const output = execFileSync(existsSync(join(bin, "pgbench")) ? join(bin, "pgbench") : "pgbench", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

function printLoad(name: string, { perSecond, p50, p90, p99, faults }: Load, floor: Load): void {
  const share = `${Math.round((perSecond / floor.perSecond) * 100)} %`;
  const spread = p50 ? (p99 / p50).toFixed(1) : "";
  print([name, Math.round(perSecond), share, p50.toFixed(1), p90.toFixed(1), p99.toFixed(1), spread, faults]);
}

function print([name = "", ...cells]: (string | number)[]): void {
  console.log(`${String(name).padEnd(36)}${cells.map((cell) => String(cell).padStart(13)).join("")}`);
}
