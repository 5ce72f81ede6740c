import { readFileSync } from "node:fs";
import { join } from "node:path";

const readme = join(import.meta.dirname, "../../README.md");

/** Returns the README's nginx configuration for two servers with the test's ports, without TLS, whose certificates the operator provides. */
export function readReadmeNginx(port: number, servers: number[]): string {
  const [, block] = /```nginx\n(upstream [\s\S]*?)```/.exec(readFileSync(readme, "utf8")) ?? [];
  if (!block) throw new Error("README has no nginx configuration with an upstream");
  const [first, second] = servers;
  return block
    .replace(/^ *ssl_certificate.*\n/gm, "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("127.0.0.1:4321", `127.0.0.1:${first}`)
    .replace("127.0.0.1:4322", `127.0.0.1:${second}`);
}
