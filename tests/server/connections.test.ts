// @module-tag full
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

const open = new Set<Socket>();

afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await stopServersAndRemoveFolders();
});

/** Opens connections that stay open on the client's side, even after the server closes its side. */
async function openConnections(origin: string, texts: string[]): Promise<void> {
  const { port } = new URL(origin);
  await Promise.all(
    texts.map(async (text) => {
      const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
      open.add(socket);
      socket.on("error", () => {}).resume();
      await once(socket, "connect");
      if (text) socket.write(text);
    }),
  );
}

const unfinished = [
  "",
  "GET /v1/goods/allLists HT",
  "GET /v1/goods/allLists HTTP/1.1\r\nHost: x\r\nAccept: ",
  'POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n{"good',
  "POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{",
  "NONSENSE\r\n\r\n",
];
const texts = Array.from({ length: 50 }, () => unfinished).flat();

/** Requests a file and reads 1 KB per second. `readOn` reads the rest and resolves with the total bytes. */
async function readSlowly(origin: string, path: string) {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  open.add(socket);
  await once(socket, "connect");
  let bytes = 0;
  let failure = "";
  socket.on("error", ({ message }) => (failure = message));
  socket.on("data", (part) => (bytes += part.byteLength));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  const reading = setInterval(() => socket.read(1024), 1_000);
  return {
    async readOn() {
      clearInterval(reading);
      socket.resume();
      await once(socket, "close");
      return { bytes, failure };
    },
  };
}

describe("connections with an incomplete request", () => {
  it.skipIf(process.platform !== "linux")(
    "are closed within 60 s, also half-open ones, while a slow download completes",
    async () => {
      const SITE_DIR = newFolder();
      const size = 40 * 1024 * 1024;
      writeFileSync(join(SITE_DIR, "film.mp4"), Buffer.alloc(size, 7));
      writeFileSync(join(SITE_DIR, "build.json"), "{}");
      const { origin, child } = await startServer({ DATA_DIR: newFolder("seeded"), SITE_DIR });
      const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length;
      const reader = await readSlowly(origin, "/film.mp4");
      const before = descriptors();
      await openConnections(origin, texts);
      await expect.poll(descriptors, { timeout: 5_000 }).toBeGreaterThan(before + texts.length / 2);
      await expect.poll(descriptors, { timeout: 60_000, interval: 500 }).toBeLessThanOrEqual(before);
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      const { bytes, failure } = await reader.readOn();
      expect(failure).toBe("");
      expect(bytes).toBeGreaterThan(size);
    },
    120_000,
  );

  it("do not delay the shutdown of the server", async () => {
    const server = await startServer({ DATA_DIR: newFolder("seeded") });
    await openConnections(server.origin, texts);
    await fetch(`${server.origin}/healthz`);
    const late = new Promise<never>((_, reject) => setTimeout(reject, 6_000, new Error("it did not end in time")).unref());
    server.child.kill("SIGTERM");
    const { status, output } = await Promise.race([server.ended, late]);
    expect({ status, failures: output.match(/failed/g) }).toEqual({ status: 0, failures: null });
  });
});
