import { execFile } from "node:child_process";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { sendCode } from "../src/api/login.ts";

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

let lastNumber = 0;

/**
 * Requests login codes for unknown numbers at a constant rate, each from the next of 250 local addresses.
 * `stop` waits for the last response. It returns the count of each response code (0: no response), and the responses within `ms`, the time until it was called.
 */
export function floodWithCodes(origin: string, perSecond: number) {
  const { hostname, port } = new URL(origin.replace("localhost", "127.0.0.1"));
  const agents = Array.from({ length: 250 }, (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.7.${n + 1}` }));
  const responses = new Map<number, number>();
  const pending = new Set<Promise<void>>();
  let completed = 0;

  function sendRequest(): void {
    const username = `150${String(++lastNumber).padStart(8, "0")}`;
    const headers = { "content-type": "application/json", "device-type": "web" };
    const agent = agents[lastNumber % agents.length];
    const codeRequest = new Promise<number>((resolve) => {
      const outgoing = request({ hostname, port, path: sendCode.path, method: sendCode.method, headers, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(Number(JSON.parse(text).code)));
      });
      outgoing.on("error", () => resolve(0));
      outgoing.end(JSON.stringify({ username }));
    }).then((code) => {
      completed += 1;
      responses.set(code, (responses.get(code) ?? 0) + 1);
      pending.delete(codeRequest);
    });
    pending.add(codeRequest);
  }

  const tick = 20;
  const began = performance.now();
  let sentCount = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    // Catches up after a delay of the machine, in portions.
    for (let n = 0; sentCount < due && n < perSecond / 10; n += 1, sentCount += 1) sendRequest();
  }, tick);

  return {
    async stop(): Promise<{ responses: Map<number, number>; completed: number; ms: number }> {
      clearInterval(timer);
      const ms = performance.now() - began;
      const completedInTime = completed;
      await Promise.all(pending);
      for (const agent of agents) agent.destroy();
      return { responses, completed: completedInTime, ms };
    },
  };
}
