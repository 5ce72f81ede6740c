/** Thrown by a check when the server breaks the contract; its message describes the response. */
export class Failed extends Error {}

/** Thrown by a check that cannot run here; its message is the reason. */
export class Skipped extends Error {}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Failed(message);
}

/** Compares both sides as JSON. */
export function assertEqual(seen: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)];
  assert(one === other, `${what} is ${one?.slice(0, 160)}, not ${other?.slice(0, 160)}`);
}

export type Outcome = { state: "passed" } | { state: "failed" | "skipped"; why: string };

export interface Row {
  group: string;
  title: string;
  outcome: Outcome;
}

/** Runs one check and returns its outcome. Any other exception counts as failed. */
export async function runCheck(group: string, title: string, check: () => Promise<void> | void): Promise<Row> {
  try {
    await check();
    return { group, title, outcome: { state: "passed" } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { group, title, outcome: { state: error instanceof Skipped ? "skipped" : "failed", why } };
  }
}
