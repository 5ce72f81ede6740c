import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import getPort from "get-port";
import { root } from "#scripts/child-processes.ts";
import { waitUntilListening } from "#tests/support/hosting/web-servers.ts";

/** Folder of the hosts' programs. */
export const programs = join(root, ".cache/hosts");

/** Time that a program may take to start on a busy machine, in ms. */
const startTimeout = 100_000;

export interface Host {
  port: number;
  stop(): Promise<void>;
}

/** Serves a build as Cloudflare Pages does, from a copy made as docs/hosting.md says. */
export async function startCloudflare(dist: string): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), "entrance-pages-"));
  cpSync(dist, folder, { recursive: true, filter: (file) => !/\.br$|\/\.hosting$/.test(file) });
  cpSync(join(dist, ".hosting/cloudflare"), folder, { recursive: true });
  const [port, inspector] = [await getPort(), await getPort()];
  const options = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(inspector)];
  return startProgram(port, "node_modules/wrangler/bin/wrangler.js", ["pages", "dev", folder, ...options], folder);
}

export async function startNetlify(dist: string): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), "entrance-netlify-"));
  cpSync(dist, folder, { recursive: true });
  const port = await getPort();
  return startProgram(port, "netlify.mjs", [folder, String(port)], folder);
}

async function startProgram(port: number, program: string, args: string[], folder: string): Promise<Host> {
  const child = execa(process.execPath, [join(programs, program), ...args], {
    cwd: programs,
    // What it writes for itself is removed with the folder of the site.
    env: { HOME: folder, XDG_CONFIG_HOME: join(folder, ".config"), WRANGLER_SEND_METRICS: "false", CI: "1" },
    stdin: "ignore",
    all: true,
    reject: false,
  });
  const ended = child.then(({ all }) => {
    throw new Error(`${program} ended: ${all}`);
  });
  await Promise.race([waitUntilListening(port, startTimeout), ended]);
  ended.catch(() => {});
  return {
    port,
    async stop() {
      child.kill();
      await child;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
