import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a self-signed certificate; null without openssl. */
function createCertificate(): { key: Buffer; cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" ");
  const { status } = spawnSync("openssl", [...command, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const certificate = status === 0 ? { key: readFileSync(key), cert: readFileSync(cert) } : null;
  rmSync(folder, { recursive: true, force: true });
  return certificate;
}

/** Starts a proxy with TLS and HTTP/2 in front of a server, like a CDN. Returns null without openssl. */
export async function serveSecurely(origin: string): Promise<{ origin: string; end(): void } | null> {
  const certificate = createCertificate();
  if (!certificate) return null;
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (incoming, outgoing) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !name.startsWith(":")));
    const options = { method: incoming.method, headers: { ...headers, host: new URL(origin).host } };
    const forwarded = request(new URL(incoming.url, origin), options, (response) => {
      const hopByHop = ["connection", "keep-alive", "transfer-encoding"];
      const headersOut = Object.entries(response.headers).filter(([name]) => !hopByHop.includes(name));
      outgoing.writeHead(response.statusCode ?? 502, Object.fromEntries(headersOut));
      response.pipe(outgoing.stream ?? outgoing);
    });
    forwarded.on("error", () => outgoing.stream?.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { origin: `https://localhost:${port}`, end: () => server.close() };
}
