import { resolve } from "node:path";
import { callerFolder, runOperatorCommand } from "./operator-command.ts";

// `npm run backup`, or `npm run backup -- <file>`
const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
const [file = `backup-${time}.ndjson.gz`, ...more] = process.argv.slice(2);
await runOperatorCommand("backup", [resolve(callerFolder, file), ...more]);
