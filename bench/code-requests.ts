import { Agent, request } from "node:http";

let last = 0;

/**
 * Asks for codes to numbers that nobody has, so many a second whether or not they are answered, each from the next of 250 addresses of this machine.
 * `stop` waits for the last answer and returns how often each code came (0: no answer), and how many were answered in the ms before it was called.
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
    const one = new Promise<number>((resolve) => {
      const asking = request(
        { hostname, port, path: "/v1/VerificationCode/send", method: "POST", headers, agent },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => {
            text += part;
          });
          answer.on("end", () => resolve(Number(JSON.parse(text).code)));
        },
      );
      asking.on("error", () => resolve(0));
      asking.end(JSON.stringify({ username }));
    }).then((code) => {
      completed += 1;
      responses.set(code, (responses.get(code) ?? 0) + 1);
      pending.delete(one);
    });
    pending.add(one);
  }

  const tick = 20;
  const began = performance.now();
  let sentCount = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    // What a busy machine did not let through in time is made up for, but not all at once.
    for (let n = 0; sentCount < due && n < perSecond / 10; n += 1, sentCount += 1) sendRequest();
  }, tick);

  return {
    async stop(): Promise<{ responses: Map<number, number>; answered: number; ms: number }> {
      clearInterval(timer);
      const ms = performance.now() - began;
      const inTime = completed;
      await Promise.all(pending);
      for (const agent of agents) agent.destroy();
      return { responses, answered: inTime, ms };
    },
  };
}
