import { openDatabase } from "../server/db/open.ts";

// How long the embedded database takes to open, in ms, loading it included.
const began = performance.now();
const { close } = await openDatabase({ DATA_DIR: process.argv[2] ?? "", DATABASE_URL: null, SEED: "demo" }, () => new Date());
process.send?.({ opened: performance.now() - began });
await close();
