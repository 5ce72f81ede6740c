import { runOperatorCommand } from "./operator-command.ts";

// `npm run orders -- list | ship | complete | refund`
await runOperatorCommand("orders", process.argv.slice(2));
