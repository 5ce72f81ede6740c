import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate of its own making; null where there is no openssl. */
function certificate(): { key: Buffer; cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" ");
  const { status } = spawnSync("openssl", [...command, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const made = status === 0 ? { key: readFileSync(key), cert: readFileSync(cert) } : null;
  rmSync(folder, { recursive: true, force: true });
  return made;
}

/** A host behind TLS and HTTP/2, as a CDN serves it. Null where that cannot be had. */
export async function serveSecurely(origin: string): Promise<{ origin: string; end(): void } | null> {
  const own = certificate();
  if (!own) return null;
  const server = createSecureServer({ ...own, allowHTTP1: true }, (incoming, answer) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !name.startsWith(":")));
    const options = { method: incoming.method, headers: { ...headers, host: new URL(origin).host } };
    const onward = request(new URL(incoming.url, origin), options, (found) => {
      const hopByHop = ["connection", "keep-alive", "transfer-encoding"];
      const headersOut = Object.entries(found.headers).filter(([name]) => !hopByHop.includes(name));
      answer.writeHead(found.statusCode ?? 502, Object.fromEntries(headersOut));
      found.pipe(answer.stream ?? answer);
    });
    onward.on("error", () => answer.stream?.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { origin: `https://localhost:${port}`, end: () => server.close() };
}
