import { readConfig } from "../../../server/config/config.ts";
import { openDatabase } from "../../../server/db/open.ts";
import { listen } from "../../../server/listen.ts";
import { openServices } from "../../../server/services.ts";
import { isGuard, removeGuards } from "./remove-guards.ts";

// Starts the server without the guards that the arguments name. SWEEP_EVERY is the scheduler's interval in ms.
const guards = process.argv.slice(2).filter(isGuard);
const config = readConfig(process.env);
const services = await openServices(config, await openDatabase(config, () => new Date()));
const schedulerInterval = Number(process.env.SWEEP_EVERY ?? services.schedulerInterval);
listen({ ...services, context: removeGuards(services.context, guards), schedulerInterval });
