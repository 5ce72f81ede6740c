import { readConfig } from "./config/config.ts";
import { loadEnvFile } from "./config/env-file.ts";
import { openDatabase } from "./db/open.ts";
import { raiseYoungGenerationLimit } from "./lib/v8-heap.ts";
import { runMain } from "./lifecycle.ts";

await runMain(async () => {
  loadEnvFile();
  const config = readConfig(process.env);
  const database = await openDatabase(config, () => new Date());
  // Loaded after the configuration and the database, so that their errors are printed first.
  const [{ openServices }, { listen }] = await Promise.all([import("./services.ts"), import("./listen.ts")]);
  listen(await openServices(config, database));
  raiseYoungGenerationLimit();
});
