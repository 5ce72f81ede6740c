/** Thrown by a check when the host does not keep the contract; its message says what was seen. */
export class Failed extends Error {}

/** Thrown by a check that cannot be made here; its message says why. */
export class Skipped extends Error {}

export function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Failed(otherwise);
}

/** Both sides as JSON. */
export function assertEqual(seen: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)];
  assert(one === other, `${what} is ${one?.slice(0, 160)}, not ${other?.slice(0, 160)}`);
}

export type Outcome = { state: "holds" } | { state: "broken" | "not tried"; why: string };

export interface Row {
  group: string;
  says: string;
  outcome: Outcome;
}

/** Makes one check and says how it went. What the check itself did not foresee counts against the host. */
export async function runCheck(group: string, says: string, check: () => Promise<void> | void): Promise<Row> {
  try {
    await check();
    return { group, says, outcome: { state: "holds" } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { group, says, outcome: { state: error instanceof Skipped ? "not tried" : "broken", why } };
  }
}
