import { createContext } from "../app.ts";
import { readConfig } from "../config/config.ts";
import type { Context } from "../context.ts";
import { backupCommand } from "./backup.ts";
import type { Command } from "./command.ts";
import { openAsItIs } from "./open.ts";
import { ordersCommand } from "./orders.ts";
import { restoreCommand } from "./restore.ts";
import { type Reply, run, sendCommand } from "./socket.ts";

/** Every command, by its name. */
export const createCommands = (context: Context): Record<string, Command> => ({
  orders: ordersCommand(context),
  backup: backupCommand(context),
  restore: restoreCommand(context),
});

/**
 * Carries out one of the operator's commands: through the host that has the embedded database, or, with none running or on PostgreSQL, on the database itself.
 * Throws ConfigError, LockedError, OperatorError.
 */
export async function runCommand(env: Record<string, string | undefined>, command: string, args: string[]): Promise<Reply> {
  const config = readConfig(env);
  const told = config.DATABASE_URL ? null : await sendCommand(config.DATA_DIR, { command, args });
  if (told) return told;
  const now = () => new Date();
  const { db, close } = await openAsItIs(config, command);
  try {
    const context = createContext({ db, config, key: Buffer.alloc(0), delivery: { deliver: () => {} }, now });
    return await run(createCommands(context), command, args);
  } finally {
    await close();
  }
}
