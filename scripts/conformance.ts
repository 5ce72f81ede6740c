import { loadEnvFile } from "../server/config/env-file.ts";
import { readOptions, usage } from "./conformance/options.ts";
import { printReport } from "./conformance/print.ts";
import { conform, type Options } from "./conformance/run.ts";

// `npm run conformance -- <origin>`: the contract against any host.
// Ends with 0: all that could be tried holds. 1: something does not. 2: it could not begin, or nobody could log in.
loadEnvFile();
const options = asked();
await fetch(options.origin).catch((error: Error) => stop(`${options.origin} does not answer: ${error.message}`));
const report = await conform(options);
console.log(printReport(report));
if (report.rows.some(({ outcome }) => outcome.state === "broken")) process.exitCode = 1;
else if (options.numbers.length > 0 && !report.loggedIn) process.exitCode = 2;

function asked(): Options {
  try {
    return readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function stop(why: string): never {
  console.error(why);
  process.exit(2);
}
