import { setFlagsFromString } from "node:v8";
import { readConfig } from "./config/config.ts";
import { loadEnvFile } from "./config/env-file.ts";
import { openDatabase } from "./db/open.ts";
import { runMain } from "./lifecycle.ts";

// V8's young generation grows to about 100 MB while modules load and never shrinks: these flags cap it during start-up.
setFlagsFromString("--max-semi-space-size=8");
setFlagsFromString("--semi-space-growth-factor=1");

/** Lets the young generation grow to 8 MB, once all modules are loaded. */
function raiseYoungGenerationLimit(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}

await runMain(async () => {
  loadEnvFile();
  const config = readConfig(process.env);
  const database = await openDatabase(config, () => new Date());
  // Loaded after the configuration and the database, so that their errors are printed first.
  const [{ openServices }, { listen }, { requireSiteOfShop }] = await Promise.all([
    import("./services.ts"),
    import("./listen.ts"),
    import("./modules/catalogue/stored.ts"),
  ]);
  // `npm start`, its parent, builds a site that is not there yet, or another shop's.
  if (!process.send) await requireSiteOfShop(database.db, config.SITE_DIR);
  listen(await openServices(config, database));
  raiseYoungGenerationLimit();
});
