import type { Context } from "../context.ts";
import { backupCommand } from "./backup.ts";
import { catalogueCommand } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { ordersCommand } from "./orders.ts";
import { restoreCommand } from "./restore.ts";

/** Creates all commands, by name. */
export const createCommands = (context: Context): Record<string, Command> => ({
  orders: ordersCommand(context),
  catalogue: catalogueCommand(context),
  backup: backupCommand(context),
  restore: restoreCommand(context),
});
