import { createContext } from "./app.ts";
import { readConfig } from "./config/config.ts";
import { type CommandResult, executeCommand } from "./operator/command.ts";
import { createCommands } from "./operator/commands.ts";
import { openForCommand } from "./operator/open.ts";
import { sendCommand } from "./operator/socket.ts";

/**
 * Runs one of the operator's commands: in the server that uses the embedded database, or directly on the database when no such server runs, or on PostgreSQL.
 * Throws OperatorError.
 */
export async function runCommand(
  env: Record<string, string | undefined>,
  command: string,
  args: string[],
): Promise<CommandResult> {
  const config = readConfig(env);
  const result = config.DATABASE_URL ? null : await sendCommand(config.DATA_DIR, { command, args });
  if (result) return result;
  const now = () => new Date();
  const { db, close } = await openForCommand(config, command);
  try {
    const context = createContext({ db, config, key: Buffer.alloc(0), messages: { send: () => {} }, now });
    return await executeCommand(createCommands(context), command, args);
  } finally {
    await close();
  }
}
