import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";

const run = promisify(execFile);

/** Requests per second, those without a response of status 200, and latencies in ms. */
const figures = v.object({ perSecond: v.number(), faults: v.number(), p50: v.number(), p99: v.number() });
export type Load = v.InferOutput<typeof figures>;

let last = 0;

/** Sends the requests of a file in turn. Uses wrk, since one of its threads outruns a Node server. */
export async function load(origin: string, file: string, connections: number, seconds: number): Promise<Load> {
  const stamp = `${Date.now().toString(36)}-${++last}-`;
  const args = [`-t1`, `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", join(import.meta.dirname, "wrk.lua")];
  const { stdout } = await run("wrk", [...args, origin, "--", file, stamp]);
  return v.parse(v.pipe(v.string(), v.parseJson(), figures), /RESULT (.*)/.exec(stdout)?.[1]);
}
