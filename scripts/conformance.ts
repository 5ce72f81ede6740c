import { loadEnvFile } from "../server/config/env-file.ts";
import { parseOptions, usage } from "./conformance/options.ts";
import { conform, type Options, printReport } from "./conformance/run.ts";

// `npm run conformance -- <origin>` tests any server against the contract.
// Exit status 0: no check failed; 1: a check failed; 2: the server is not reachable, or the login failed.
loadEnvFile();
const options = parseCommandLine();
await fetch(options.origin).catch((error: Error) => exitWithError(`${options.origin} is not reachable: ${error.message}`));
const report = await conform(options);
console.log(printReport(report));
if (report.rows.some(({ outcome }) => outcome.state === "failed")) process.exitCode = 1;
else if (options.numbers.length > 0 && !report.loggedIn) process.exitCode = 2;

function parseCommandLine(): Options {
  try {
    return parseOptions(process.argv.slice(2), process.env);
  } catch (error) {
    return exitWithError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function exitWithError(message: string): never {
  console.error(message);
  process.exit(2);
}
