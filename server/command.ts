import { loadEnvFile } from "./lib/env-file.ts";
import { runMain } from "./lib/start-and-end.ts";
import { runCommand } from "./operator/perform.ts";

// `npm run orders | backup | restore -- …`
await runMain(async () => {
  loadEnvFile();
  const [command = "", ...args] = process.argv.slice(2);
  const { status, text } = await runCommand(process.env, command, args);
  if (status === 0) console.log(text);
  else console.error(text);
  process.exitCode = status;
});
