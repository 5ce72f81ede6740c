import { cpSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { programs } from "./start-host.ts";

/** Installs the hosts' programs beside the project. npm leaves in place what is there already. */
export async function setup(): Promise<void> {
  cpSync(join(import.meta.dirname, "packages"), programs, { recursive: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--package-lock=false"];
  await execa("npm", ["install", ...options], { cwd: programs, stdio: "inherit" });
}
