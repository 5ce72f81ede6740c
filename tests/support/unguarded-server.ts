import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/db/open.ts";
import { guards } from "../../server/lib/guard.ts";
import { listen } from "../../server/listen.ts";

// The host with the guards taken out that the arguments name: what a race does without them. SWEEP_EVERY, in ms, makes it sweep more often.
const named = new Set(process.argv.slice(2));
const unguarded = new Set(guards.filter((guard) => named.has(guard)));
const config = readConfig(process.env);
const database = await openDatabase(config, () => new Date());
await listen(config, database, { seams: { unguarded }, sweepEvery: Number(process.env.SWEEP_EVERY ?? 5_000) });
