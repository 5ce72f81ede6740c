import { join } from "node:path";
import { execa } from "execa";

/** Runs `npm run <name> -- …` with these variables only, and returns its trimmed output. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]) {
  const { exitCode, all } = await execa(process.execPath, [`scripts/${name}.ts`, ...args], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ENV_FILE: "", ...env },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  return { status: exitCode, printed: all.trim() };
}
