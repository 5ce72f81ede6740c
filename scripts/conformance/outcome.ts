/** Thrown by a check when the server breaks the contract; its message describes the response. */
export class CheckFailure extends Error {}

/** Thrown by a check that cannot run here; its message is the reason. */
export class CheckSkipped extends Error {}

/** Fails the check with `message` unless the condition is true. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailure(message);
}

/** Fails unless both values are equal as JSON. */
export function assertEqual(actual: unknown, expected: unknown, label: string): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(actualJson === expectedJson, `${label} is ${actualJson?.slice(0, 160)}, not ${expectedJson?.slice(0, 160)}`);
}

type Outcome = { state: "passed" } | { state: "failed" | "skipped"; reason: string };

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
    const reason = error instanceof Error ? error.message : String(error);
    return { group, title, outcome: { state: error instanceof CheckSkipped ? "skipped" : "failed", reason } };
  }
}
