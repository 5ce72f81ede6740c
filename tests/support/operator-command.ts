import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Runs `npm run <name> -- …` with these variables only, and returns its trimmed output. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ENV_FILE: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
  const [status] = await once(child, "close");
  return { status, printed: printed.trim() };
}
