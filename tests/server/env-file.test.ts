// @module-tag full
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { buildEnvironment } from "../../scripts/build.ts";
import { buildVariables, variables } from "../../server/config/variables.ts";
import { runCommand } from "../support/processes/run-script.ts";
import { newFolder, spawnServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

afterEach(stopServersAndRemoveFolders);

/** Writes an ENV_FILE. An invalid value shows at once that a program reads it. */
function writeEnvFile(lines: string[]): string {
  const file = join(newFolder(), "shop.env");
  writeFileSync(file, lines.join("\n"));
  return file;
}
const triesProblem = "CODE_TRIES must be a whole number from 1 to 100.";

/** Replaces Astro's build: writes its environment to `file` and a page to the output folder. */
const stubBuild = (file: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`
    import { mkdirSync, writeFileSync } from "node:fs";
    const [, program = "", , , folder] = process.argv;
    if (program.endsWith("astro.mjs")) {
      writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + "/index.html", "made");
      process.exit(0);
    }`)}`;

async function run(script: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [script], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
  const [status] = await once(child, "close");
  return { status, printed };
}

describe("ENV_FILE", () => {
  it("sets variables of the server, and the environment overrides it, empty values included", async () => {
    const ENV_FILE = writeEnvFile(["FLOOD_PER_MINUTE=many", "PORT=nowhere", "# CODE_TRIES=5", 'CODE_TRIES="many"']);
    // `spawnServer` sets FLOOD_PER_MINUTE and PORT.
    expect(await spawnServer({ ENV_FILE, DATA_DIR: newFolder() }).ended).toEqual({ status: 1, output: `${triesProblem}\n` });
    const empty = spawnServer({ ENV_FILE, DATA_DIR: newFolder(), CODE_TRIES: "", SECRET_KEY: "short" });
    expect((await empty.ended).output).toBe("SECRET_KEY must be at least 32 characters.\n");
  });

  it("sets variables of the operator's commands", async () => {
    const ENV_FILE = writeEnvFile(["CODE_TRIES=many"]);
    expect(await runCommand({ ENV_FILE, DATA_DIR: newFolder() }, "orders", "list")).toEqual({
      status: 1,
      printed: triesProblem,
    });
  });

  it.each(["scripts/start.ts", "scripts/dev.ts"])("sets variables of %s", async (script) => {
    const ENV_FILE = writeEnvFile(["PORT=nowhere"]);
    const { status, printed } = await run(script, { ENV_FILE, DATA_DIR: newFolder() });
    expect({ status, printed }).toEqual({ status: 1, printed: expect.stringMatching(/^PORT must be /) });
  });

  it("stops the start with one sentence when the file cannot be read", async () => {
    const ENV_FILE = join(newFolder(), "none.env");
    expect(await spawnServer({ ENV_FILE }).ended).toEqual({
      status: 1,
      output: `ENV_FILE must be a readable file: ${ENV_FILE}.\n`,
    });
  });

  it("passes SITE_DIR and public variables to the build, but no secrets", async () => {
    const [SITE_DIR, envFile] = [join(newFolder(), "site"), join(newFolder(), "env.json")];
    const secrets = { DATABASE_URL: "postgres://u:p@db.example/x", WECHAT_SECRET: "s", NODE_AUTH_TOKEN: "t" };
    const ENV_FILE = writeEnvFile([
      "PUBLIC_SITE_ORIGIN=https://shop.example",
      "PUBLIC_STATISTICS_ATTRIBUTES=of the file",
      "ALIYUN_ACCESS_KEY_SECRET=0123456789",
      "SECRET_KEY=0123456789abcdef0123456789abcdef",
      `SITE_DIR=${SITE_DIR}`,
    ]);
    const { status, printed } = await run("scripts/build.ts", {
      ENV_FILE,
      PUBLIC_STATISTICS_ATTRIBUTES: "of the environment",
      LANG: "C.UTF-8",
      NODE_OPTIONS: stubBuild(envFile),
      ...secrets,
    });
    expect({ status, printed }).toEqual({ status: 0, printed: expect.stringContaining("BUILD_API_ORIGIN is not set") });
    const env = JSON.parse(readFileSync(envFile, "utf8"));
    expect(env).toMatchObject({
      PUBLIC_SITE_ORIGIN: "https://shop.example",
      PUBLIC_STATISTICS_ATTRIBUTES: "of the environment",
      SITE_DIR,
    });
    expect(env).toMatchObject({ PATH: process.env.PATH, LANG: "C.UTF-8", NODE_ENV: "production" });
    for (const name of [...Object.keys(secrets), "ALIYUN_ACCESS_KEY_SECRET", "SECRET_KEY", "ENV_FILE"])
      expect(env).not.toHaveProperty(name);
    expect(existsSync(join(SITE_DIR, "index.html"))).toBe(true);
  });

  it("passes all variables of the build to it, and none that the table marks as a secret", () => {
    const names = [...Object.keys(buildVariables), ...Object.keys(variables)];
    const env = buildEnvironment(Object.fromEntries(names.map((name) => [name, "x"])));
    expect(Object.keys(env)).toEqual(expect.arrayContaining(Object.keys(buildVariables)));
    expect(Object.entries(variables).filter(([name, { isSecret }]) => isSecret && name in env)).toEqual([]);
  });
});
