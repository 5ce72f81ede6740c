/** Thrown by a check when the host does not keep the contract; its message says what was seen. */
export class Broken extends Error {}

/** Thrown by a check that cannot be made here; its message says why. */
export class NotTried extends Error {}

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Broken(otherwise);
}

/** Both sides as JSON. */
export function mustEqual(seen: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)];
  must(one === other, `${what} is ${one?.slice(0, 160)}, not ${other?.slice(0, 160)}`);
}

export type Outcome = { state: "holds" } | { state: "broken" | "not tried"; why: string };

export interface Row {
  group: string;
  says: string;
  outcome: Outcome;
}

/** Makes one check and says how it went. What the check itself did not foresee counts against the host. */
export async function tried(group: string, says: string, check: () => Promise<void> | void): Promise<Row> {
  try {
    await check();
    return { group, says, outcome: { state: "holds" } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { group, says, outcome: { state: error instanceof NotTried ? "not tried" : "broken", why } };
  }
}
