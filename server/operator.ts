import { loadEnvFile } from "./config/env-file.ts";
import { runMain } from "./lifecycle.ts";
import { runCommand } from "./run-command.ts";

// `npm run orders | backup | restore -- …`
await runMain(async () => {
  loadEnvFile();
  const [command = "", ...args] = process.argv.slice(2);
  const { status, text } = await runCommand(process.env, command, args);
  if (status === 0) console.log(text);
  else console.error(text);
  process.exitCode = status;
});
