import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";

const run = promisify(execFile);
const figures = v.object({
  ...{ requests: v.number(), us: v.number(), faults: v.number() },
  ...{ p50: v.number(), p90: v.number(), p99: v.number(), max: v.number() },
});

export interface Load {
  perSecond: number;
  /** Answers that were none, or not 200. */
  faults: number;
  /** In ms. */
  p50: number;
  p90: number;
  p99: number;
}

let last = 0;

/** Sends the requests of a file to every origin at once, over so many connections in all, for so many seconds. wrk: one thread of it outruns any Node. */
export async function load(origins: string[], file: string, connections: number, seconds: number): Promise<Load> {
  const each = origins.map((origin) => hit(origin, file, Math.ceil(connections / origins.length), seconds));
  const all = await Promise.all(each);
  const ms = (of: (one: v.InferOutput<typeof figures>) => number) => Math.max(...all.map(of)) / 1000;
  return {
    perSecond: all.reduce((sum, { requests, us }) => sum + (requests / us) * 1e6, 0),
    faults: all.reduce((sum, one) => sum + one.faults, 0),
    ...{ p50: ms((one) => one.p50), p90: ms((one) => one.p90), p99: ms((one) => one.p99) },
  };
}

async function hit(origin: string, file: string, connections: number, seconds: number) {
  const stamp = `${Date.now().toString(36)}-${++last}-`;
  const args = [`-t1`, `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", join(import.meta.dirname, "wrk.lua")];
  const { stdout } = await run("wrk", [...args, origin, "--", file, stamp]);
  return v.parse(v.pipe(v.string(), v.parseJson(), figures), /RESULT (.*)/.exec(stdout)?.[1]);
}
