import { resolve } from "node:path";
import { command, typedFrom } from "./operator-command.ts";

// `npm run restore -- <file>`, or `-- <file> --replace everything`
const [file, ...more] = process.argv.slice(2);
await command("restore", [...(file ? [resolve(typedFrom, file)] : []), ...more]);
