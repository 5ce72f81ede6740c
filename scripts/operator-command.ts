import { endOnSignal, startNode, waitForExit } from "./process.ts";

/** Runs a command of server/operator and exits with its status. */
export async function runOperatorCommand(name: string, args: string[]): Promise<never> {
  endOnSignal(130);
  process.exit((await waitForExit(startNode(["server/operator.ts", name, ...args], {}, "inherit"))).status);
}

/** The caller's folder: npm changes into the project's. */
export const callerFolder = process.env.INIT_CWD ?? process.cwd();
