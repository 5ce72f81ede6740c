import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import getPort from "get-port";
import { findBrowser } from "#scripts/find-browser.mjs";

export interface Browser {
  /** The debugging port for Lighthouse. */
  port: number;
  context: BrowserContext;
  end(): Promise<void>;
}

/** Starts a browser with a profile of its own, which Lighthouse and the benchmark share: a session applies to both. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const port = await getPort();
  // The certificate is self-signed.
  const certificateArgs = ["--ignore-certificate-errors"];
  const rootArgs = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [
      `--remote-debugging-port=${port}`,
      "--disable-gpu",
      "--disable-background-networking",
      ...certificateArgs,
      ...rootArgs,
    ],
    viewport: { width: 375, height: 812 },
  });
  const end = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, context, end };
}

/** Replaces the localStorage of an origin: a member's session, or nothing for a visitor. */
export async function setSession(context: BrowserContext, origin: string, stored: Record<string, string>): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL("/about/terms", origin).href);
  await page.evaluate((entries) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
}

/** Creates a self-signed certificate. Throws without openssl. */
function createCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" ");
  execFileSync("openssl", [...command, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const certificate = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true, force: true });
  return certificate;
}

/** Starts a proxy with TLS and HTTP/2 in front of a server, like a CDN. */
export async function serveSecurely(origin: string): Promise<{ origin: string; end(): void }> {
  const server = createSecureServer({ ...createCertificate(), allowHTTP1: true }, (incoming, outgoing) => {
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
