import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type Config, readConfig } from "./config/config.ts";
import { loadEnvFile } from "./config/env-file.ts";
import type { Database, OpenDatabase } from "./db/database.ts";
import type { MigrationState } from "./db/migrations.ts";
import { openWithSetup } from "./db/open.ts";
import { OperatorError } from "./lib/errors.ts";
import { runMain } from "./lifecycle.ts";
import { type CommandResult, executeCommand, sendCommand } from "./operator/command.ts";

const messages: Record<Exclude<MigrationState, "current">, string> = {
  empty: "This database is empty: start the server once to set it up.",
  older:
    "The database is older than this command, and commands do not migrate: use the version that the servers run, or start a server of this version.",
  newer: "The database has migrations that this version does not have: use the version that the servers run.",
};

/**
 * Opens the database for a command without migrating or seeding it; a restore and a first catalogue alone create missing tables. Throws OperatorError when the database is not of
 * this version, LockedError while a server uses the embedded one.
 */
async function openForCommand(config: Config, command: string, [verb]: string[]): Promise<OpenDatabase> {
  const mayCreate = command === "restore" || verb === "create";
  if (!config.DATABASE_URL && !mayCreate && !existsSync(join(config.DATA_DIR, "database"))) {
    throw new OperatorError(
      `There is no database in ${config.DATA_DIR}: set CONTENT_DIR to the shop's folder (and DATA_DIR, where npm start has it), or run npm start once.`,
    );
  }
  return openWithSetup(config, async () => {
    const { getMigrationState } = await import("./db/migrations.ts");
    return async (db: Database, migrate: () => Promise<void>) => {
      const state = await getMigrationState(db);
      if (state === "empty" && mayCreate) return migrate();
      if (state !== "current") throw new OperatorError(messages[state]);
    };
  });
}

/** Returns the name of the user who runs the command, or their number where the system has no name for it, as in containers. */
function getOperator({ SUDO_USER }: Record<string, string | undefined>): string {
  if (SUDO_USER) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/**
 * Runs one of the operator's commands: in the server that uses the embedded database, or directly on the database when no such server runs, or on PostgreSQL.
 * Throws OperatorError.
 */
export async function runCommand(
  env: Record<string, string | undefined>,
  command: string,
  args: string[],
): Promise<CommandResult> {
  if (command === "doctor") return (await import("./doctor/doctor.ts")).runDoctor(env, args, () => new Date());
  const config = readConfig(env);
  const operator = getOperator(env);
  const result = config.DATABASE_URL ? null : await sendCommand(config.DATA_DIR, { command, args, operator });
  if (result) return result;
  const now = () => new Date();
  const { db, close } = await openForCommand(config, command, args);
  try {
    // Loaded after the database (see `db/open.ts`), and not at all for what a server runs.
    const [{ createContext }, { createCommands }] = await Promise.all([import("./app.ts"), import("./operator/commands.ts")]);
    const context = createContext({ db, config, key: Buffer.alloc(0), messages: { send: () => {} }, now });
    return await executeCommand(createCommands(context), command, args, operator);
  } finally {
    await close();
  }
}

/** Runs a command as a program, prints its text and sets the exit status. */
export async function runProgram(command: string, args: string[]): Promise<void> {
  // The exit would wait 2 s for optimized WebAssembly of PGlite, which a command no longer needs.
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  await runMain(async () => {
    loadEnvFile();
    const { status, text } = await runCommand(process.env, command, args);
    if (status === 0 || command === "doctor") process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    else console.error(text);
    process.exitCode = status;
  });
}
