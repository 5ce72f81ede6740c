import { loadEnvFile } from "./lib/env-file.ts";
import { startOrSay } from "./lib/start-and-end.ts";
import { perform } from "./operator/perform.ts";

// `npm run orders | backup | restore -- …`
await startOrSay(async () => {
  loadEnvFile();
  const [command = "", ...args] = process.argv.slice(2);
  const { status, text } = await perform(process.env, command, args);
  if (status === 0) console.log(text);
  else console.error(text);
  process.exitCode = status;
});
