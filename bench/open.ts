import { openDatabase } from "#server/db/open.ts";

// Prints the time to load and open the embedded database in a folder, in ms.
const [folder = ""] = process.argv.slice(2);
const began = performance.now();
const { close } = await openDatabase({ DATA_DIR: folder, DATABASE_URL: null, DEMO: false }, () => new Date());
console.log(Math.round(performance.now() - began));
await close();
