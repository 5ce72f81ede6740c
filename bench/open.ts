import { openDatabase } from "../server/db/open.ts";

// Sends the time to load and open the embedded database, in ms.
const began = performance.now();
const { close } = await openDatabase({ DATA_DIR: process.argv[2] ?? "", DATABASE_URL: null, DEMO: false }, () => new Date());
process.send?.({ opened: performance.now() - began });
await close();
