import type { Context } from "#server/context.ts";
import { auditCommand } from "./audit.ts";
import { backupCommand } from "./backup.ts";
import { bookingsCommand } from "./bookings.ts";
import { catalogueCommand } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { membersCommand } from "./members.ts";
import { ordersCommand } from "./orders.ts";
import { restoreCommand } from "./restore.ts";
import { stockCommand } from "./stock.ts";

/** Creates all commands, by name. */
export const createCommands = (context: Context): Record<string, Command> => ({
  orders: ordersCommand(context),
  stock: stockCommand(context),
  bookings: bookingsCommand(context),
  members: membersCommand(context),
  audit: auditCommand(context),
  catalogue: catalogueCommand(context),
  backup: backupCommand(context),
  restore: restoreCommand(context),
});
