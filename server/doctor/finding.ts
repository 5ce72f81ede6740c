import { getReason } from "#server/lib/errors.ts";

/** What became of a check. `wrong`: its text says what to do. `not tried`: its text says why. */
export interface Finding {
  name: string;
  state: "done" | "wrong" | "not tried";
  text: string;
}

export type Check = () => Promise<Omit<Finding, "name">>;

export const done = (text: string) => ({ state: "done", text }) as const;
export const wrong = (text: string) => ({ state: "wrong", text }) as const;
export const notTried = (text: string) => ({ state: "not tried", text }) as const;

/** Runs checks one after the other, by their names. What a check throws is what is wrong. */
export async function runChecks(checks: Record<string, Check>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const result = await check().catch((error: unknown) => wrong(getReason(error)));
    findings.push({ name, ...result });
  }
  return findings;
}
