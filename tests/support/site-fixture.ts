import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { createAdaptorServer } from "@hono/node-server";
import { createSite, type SiteOptions } from "../../server/site/site.ts";
import { directSite } from "./serve.ts";

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Writes files into a folder; content of names ending in `.br` is compressed. */
export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), name.endsWith(".br") ? brotliCompressSync(text) : text);
  }
}

/** Serves a fixture build on a real port. Requests are raw, because `fetch` would normalise a hostile target. */
export async function serveFixture(files: Record<string, string>, options: Partial<Omit<SiteOptions, "dir">> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const dir = join(folder, "dist");
  writeFiles(dir, files);
  const server = createAdaptorServer({ fetch: createSite({ dir, ...directSite, ...options }).fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    dir,
    folder,
    origin: `http://127.0.0.1:${port}`,
    request: (target: string, headers?: Record<string, string>, method?: string) => sendRaw(port, target, headers, method),
    async close() {
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a raw request to a local port on its own connection. */
export async function sendRaw(
  port: number,
  target: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<RawResponse> {
  const socket = connect(port, "127.0.0.1");
  const headerLines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, connection: "close" });
  socket.write(`${method} ${target} HTTP/1.1\r\n${headerLines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const responseHeaders = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(responseHeaders), body: bytes.subarray(end + 4) };
}
