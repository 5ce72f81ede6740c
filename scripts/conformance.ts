// `npm run conformance`: tests any server that implements src/api/contract.ts, over HTTP. Exit status 0: no
// check failed; 1: a check failed; 2: the server is not reachable, or the arguments are wrong.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { loadEnvFile } from "#server/config/env-file.ts";
import { root } from "./child-processes.ts";

const usage = `npm run conformance -- <origin> [options]

  --member <mobile>         a number that can log in; pass at least two, better three. The first runs the checks, the
                            second verifies isolation, the third is not activated
  --code-command <command>  prints the login code sent to $MOBILE after $SINCE
  --outbox <file>           the outbox.jsonl of a server with SMS=console. Default for a server on this machine:
                            the file in DATA_DIR (.data), with random numbers
  --site-origin <origin>    an origin whose pages may call the server (CORS)
  --fail-fast               stops the checks after the first failure`;

/** Parses the command line. If an argument is invalid, throws an error whose message is one sentence. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      member: { type: "string", multiple: true, default: [] },
      "code-command": { type: "string" },
      outbox: { type: "string" },
      "site-origin": { type: "string" },
      "fail-fast": { type: "boolean", default: false },
    },
  });
  const [origin = "", ...more] = positionals;
  if (more.length > 0 || !URL.canParse(origin))
    throw new Error("The command requires one origin, such as http://localhost:4321");
  const url = new URL(origin);
  const folder = process.env.DATA_DIR || ".data";
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname) && existsSync(folder);
  return {
    server: {
      origin: url.origin,
      members: values.member,
      codeCommand: values["code-command"] ?? null,
      outbox: values.outbox ?? (isLocal ? join(folder, "outbox.jsonl") : null),
      siteOrigin: values["site-origin"] ?? null,
    },
    bail: values["fail-fast"] ? 1 : 0,
  };
}

function exitWithError(message: string): never {
  console.error(message);
  process.exit(2);
}

loadEnvFile();
let options: ReturnType<typeof readArguments>;
try {
  options = readArguments();
  await fetch(options.server.origin).catch(({ message }) => {
    throw new Error(`${options.server.origin} is not reachable: ${message}`);
  });
} catch (error) {
  exitWithError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
}
const { server, bail } = options;
const name = ["tests/conformance/contract.test.ts"];
const vitest = await startVitest("test", name, {
  root,
  bail,
  watch: false,
  project: ["conformance"],
  reporters: ["verbose"],
  provide: { server },
});
await vitest.close();
