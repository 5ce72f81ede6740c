import { readFileSync } from "node:fs";
import { join } from "node:path";

const guide = join(import.meta.dirname, "../../docs/hosting.md");

/** Returns the nginx configuration of docs/hosting.md for two servers with the test's ports, without TLS, whose certificates the operator provides. */
export function readDocumentedNginx(port: number, servers: number[]): string {
  const [, block] = /```nginx\n(upstream [\s\S]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];
  if (!block) throw new Error("docs/hosting.md has no nginx configuration with an upstream");
  const [first, second] = servers;
  return block
    .replace(/^ *ssl_certificate.*\n/gm, "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("127.0.0.1:4321", `127.0.0.1:${first}`)
    .replace("127.0.0.1:4322", `127.0.0.1:${second}`);
}
