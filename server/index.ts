import { readConfig } from "./config/config.ts";
import { loadEnvFile } from "./config/env-file.ts";
import { openDatabase } from "./db/open.ts";
import { raiseHeapLimit } from "./lib/heap.ts";
import { runMain } from "./lifecycle.ts";

await runMain(async () => {
  loadEnvFile();
  const config = readConfig(process.env);
  const database = await openDatabase(config, () => new Date());
  // Loaded last: what stops the start is said before that.
  const { listen } = await import("./listen.ts");
  await listen(config, database);
  raiseHeapLimit();
});
