import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";

const run = promisify(execFile);
const figures = v.object({
  requests: v.number(),
  us: v.number(),
  faults: v.number(),
  p50: v.number(),
  p90: v.number(),
  p99: v.number(),
  max: v.number(),
});

export interface Load {
  perSecond: number;
  /** Requests without a response of status 200. */
  faults: number;
  /** In ms. */
  p50: number;
  p90: number;
  p99: number;
}

let last = 0;

/** Sends the requests of a file to all origins at once, with `connections` in total. Uses wrk, since one of its threads outruns a Node server. */
export async function load(origins: string[], file: string, connections: number, seconds: number): Promise<Load> {
  const runs = origins.map((origin) => runWrk(origin, file, Math.ceil(connections / origins.length), seconds));
  const results = await Promise.all(runs);
  const toMs = (key: "p50" | "p90" | "p99") => Math.max(...results.map((result) => result[key])) / 1000;
  return {
    perSecond: results.reduce((sum, { requests, us }) => sum + (requests / us) * 1e6, 0),
    faults: results.reduce((sum, { faults }) => sum + faults, 0),
    p50: toMs("p50"),
    p90: toMs("p90"),
    p99: toMs("p99"),
  };
}

async function runWrk(origin: string, file: string, connections: number, seconds: number) {
  const stamp = `${Date.now().toString(36)}-${++last}-`;
  const args = [`-t1`, `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", join(import.meta.dirname, "wrk.lua")];
  const { stdout } = await run("wrk", [...args, origin, "--", file, stamp]);
  return v.parse(v.pipe(v.string(), v.parseJson(), figures), /RESULT (.*)/.exec(stdout)?.[1]);
}
