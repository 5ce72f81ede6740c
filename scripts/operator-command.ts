import { endOnSignal, startNode, waitForExit } from "./process.ts";

/** Has the host's own code carry out one of the operator's commands, and ends with its status. */
export async function command(name: string, args: string[]): Promise<never> {
  endOnSignal(130);
  process.exit((await waitForExit(startNode(["server/operator.ts", name, ...args], {}, "inherit"))).status);
}

/** A file as it is named from where the command was typed: npm has gone to the project's folder since. */
export const typedFrom = process.env.INIT_CWD ?? process.cwd();
