// @module-tag full
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import getPort from "get-port";
import { afterEach, describe, expect, it } from "vitest";
import { describeOnEngines, hasPostgres, newPostgres } from "../support/database/database.ts";
import { isWithoutNginx, type Nginx, readDocumentedNginx, startNginx } from "../support/hosting/nginx.ts";
import { newFolder, startServer, stopServersAndRemoveFolders, withPostgres } from "../support/processes/server-process.ts";

let nginx: Nginx | null = null;
afterEach(async () => {
  await nginx?.stop();
  nginx = null;
  await stopServersAndRemoveFolders();
});

interface Call {
  method?: string;
  path: string;
  body?: string;
  agent?: Agent;
}

/** Sends a request; resolves with its status and whether the connection closes, or with the error message as status. */
function send(
  origin: string,
  { method = "GET", path, body, agent }: Call,
): Promise<{ status: number | string; closes: boolean }> {
  return new Promise((resolve) => {
    const headers = body ? { "content-type": "application/json" } : {};
    const outgoing = request(origin + path, { method, headers, ...(agent ? { agent } : {}) }, (response) => {
      response
        .resume()
        .on("end", () => resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === "close" }));
    });
    outgoing.on("error", ({ message }) => resolve({ status: message, closes: true }));
    outgoing.end(body);
  });
}

describeOnEngines("graceful shutdown on %s", (engine) => {
  it("makes /readyz return 503, responds once more on open connections and closes them", async () => {
    const env = engine === "PGlite" ? { DATA_DIR: newFolder("seeded") } : withPostgres(await newPostgres(), newFolder());
    const { origin, child, ended } = await startServer(env);
    const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const sendRequest = (path: string, agent?: Agent) => send(origin, { path, ...(agent ? { agent } : {}) });
    for (const agent of agents) expect(await sendRequest("/v1/goods/allLists", agent)).toEqual({ status: 200, closes: false });
    const [one, , last] = agents;
    child.kill("SIGTERM");
    await expect.poll(async () => (await sendRequest("/readyz", one)).status, { timeout: 1_000, interval: 10 }).toBe(503);
    expect((await sendRequest("/readyz", new Agent())).status).toBe(503);
    expect((await sendRequest("/healthz", one)).status).toBe(200);
    // Until it accepts no more connections.
    await expect
      .poll(async () => (await sendRequest("/healthz", new Agent())).status, { timeout: 6_000, interval: 10 })
      .toMatch(/ECONNREFUSED/);
    expect(await sendRequest("/v1/goods/allLists", last)).toEqual({ status: 200, closes: true });
    expect((await ended).status).toBe(0);
    for (const agent of agents) agent.destroy();
  });

  it("completes at once when no client is connected", async () => {
    const env = engine === "PGlite" ? { DATA_DIR: newFolder("seeded") } : withPostgres(await newPostgres(), newFolder());
    const { child, ended } = await startServer(env);
    const late = wait(3_000, "late", { ref: false });
    child.kill("SIGTERM");
    expect(await Promise.race([ended.then(({ status }) => status), late])).toBe(0);
  });
});

describe.skipIf(!hasPostgres || isWithoutNginx())(
  "a rolling restart of two servers behind the nginx configuration of docs/hosting.md",
  () => {
    it("fails no request under load", async () => {
      const url = await newPostgres();
      const folder = newFolder();
      const ports = [await getPort(), await getPort()];
      const start = (port: number) => startServer({ ...withPostgres(url, folder), PORT: String(port), TRUST_PROXY: "1" });
      const servers = await Promise.all(ports.map(start));
      nginx = await startNginx((port) => readDocumentedNginx(port, ports));
      const { origin } = nginx;
      const calls: Call[] = [
        { path: "/v1/goods/allLists" },
        { path: "/healthz" },
        { method: "POST", path: "/v1/goods/info", body: '{"goods_uid":"vinyl"}' },
        { method: "POST", path: "/v1/goods/info", body: '{"goods_uid":"tote"}' },
      ];
      const counts: Record<string, number> = {};
      let over = false;
      const agent = new Agent({ keepAlive: true });
      const visitor = async (n: number) => {
        for (let index = n; !over; index += 1) {
          const { status } = await send(origin, { path: "/", ...calls[index % calls.length], agent });
          counts[status] = (counts[status] ?? 0) + 1;
        }
      };
      const visitors = Promise.all(Array.from({ length: 16 }, (_, n) => visitor(n)));
      await wait(1_000);
      for (const [n, port] of ports.entries()) {
        servers[n]?.child.kill("SIGTERM");
        expect((await servers[n]?.ended)?.status).toBe(0);
        await start(port);
        // The interval in docs/hosting.md: nginx skips an unreachable upstream for this long.
        await wait(6_000);
      }
      over = true;
      await visitors;
      agent.destroy();
      expect(Object.keys(counts)).toEqual(["200"]);
      expect(counts["200"]).toBeGreaterThan(100);
    }, 180_000);
  },
);
