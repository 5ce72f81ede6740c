import { command } from "./operator-command.ts";

// `npm run orders -- list | ship | complete | refund`
await command("orders", process.argv.slice(2));
