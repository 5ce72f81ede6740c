import { loadEnvFile } from "./config/env-file.ts";
import { runMain } from "./lifecycle.ts";
import { runCommand } from "./run-command.ts";

// `npm run orders | stock | bookings | members | backup | restore -- …`
await runMain(async () => {
  loadEnvFile();
  const [command = "", ...args] = process.argv.slice(2);
  const { status, text } = await runCommand(process.env, command, args);
  if (status === 0) process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  else console.error(text);
  process.exitCode = status;
});
