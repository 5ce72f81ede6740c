import { Agent, request } from "node:http";
import { sendCode } from "../src/api/login.ts";

let last = 0;

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
    const username = `150${String(++last).padStart(8, "0")}`;
    const headers = { "content-type": "application/json", "device-type": "web" };
    const agent = agents[last % agents.length];
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
