import { resolve } from "node:path";
import { callerFolder, runOperatorCommand } from "./operator-command.ts";

// `npm run restore -- <file>`, or `-- <file> --replace everything`
const [file, ...more] = process.argv.slice(2);
await runOperatorCommand("restore", [...(file ? [resolve(callerFolder, file)] : []), ...more]);
