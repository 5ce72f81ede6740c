// @module-tag full
import { createConnection } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runScript, type Script } from "#tests/support/processes/child-process.ts";

let script: Script;
let port = 0;

beforeAll(async () => {
  script = runScript("scripts/editor.ts", { ENV_FILE: "" });
  await script.until("Editor: ");
  port = Number(/Editor: http:\/\/localhost:(\d+)/.exec(script.printed())?.[1]);
});
afterAll(() => script?.end());

/** Sends a request as it is, and returns the status of the response. */
const send = (line: string, host: string) =>
  new Promise<number>((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () =>
      socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk)).on("close", () => resolve(Number(text.split(" ")[1])));
  });

it("the editor's server serves the editor alone, to this machine's names alone, and survives any request line", async () => {
  const own = `localhost:${port}`;
  for (const [line, host, status] of [
    ["GET /config.json", own, 200],
    ["HEAD /?a=1", `127.0.0.1:${port}`, 200],
    ["GET /package.json", own, 404],
    ["GET /config.json", "evil.example", 404],
    ["GET //:", "evil.example", 404],
    ["GET //:", own, 404],
    ["GET http://[/", own, 404],
    ["GET /%", own, 404],
    ["GET /__proto__", own, 404],
    ["OPTIONS *", own, 404],
    ["POST /config.json", own, 405],
    ["DELETE /", own, 405],
  ] as const)
    expect([line, host, await send(line, host)]).toEqual([line, host, status]);
  expect(await send("GET /", own)).toBe(200);
});
