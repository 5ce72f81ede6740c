import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataOf } from "../src/api/call.ts";
import { login, sendCode } from "../src/api/login.ts";

// A client of the demo member, for screenshots and benchmarks; the server must run with SMS=console.

const mobile = "13800138000";

export interface Demo {
  /** The localStorage of a member after login. */
  stored: { TOKEN: string; USER_INFO: string };
  call: CallServer;
}
type CallServer = <Data>(path: string, body?: object) => Promise<Data>;

/** Reads the demo member's login codes from the outbox in the server's data folder. */
async function readCodes(data: string): Promise<string[]> {
  const lines = (await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const messages: { to: string; code: string }[] = lines.map((line) => JSON.parse(line));
  return messages.filter(({ to }) => to === mobile).map(({ code }) => code);
}

/** Polls for the next code: the server responds before it writes to the outbox. */
async function nextCode(data: string, after: number): Promise<string> {
  for (let tries = 100; tries > 0; tries -= 1) {
    const codes = await readCodes(data);
    if (codes.length > after) return codes.at(-1) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived in ${data}/outbox.jsonl: check that this is the data folder of the server`);
}

function createCall(origin: string, token: string): CallServer {
  return async (path, body) => {
    const headers = { "content-type": "application/json", "device-type": "web", token };
    const request = body && { method: "POST", body: JSON.stringify(body) };
    const { code, msg, data } = await (await fetch(new URL(path, origin), { headers, ...request })).json();
    // The server requires a pause between codes to one number.
    if (code === 10004 && data?.retry_after) {
      await new Promise((resolve) => setTimeout(resolve, data.retry_after * 1000));
      return createCall(origin, token)(path, body);
    }
    if (code !== 1) throw new Error(`${path} returned ${code}: ${msg}`);
    return data;
  };
}

/** Logs the demo member in; `data` is the data folder of the server. */
export async function logInDemo(origin: string, data: string): Promise<Demo> {
  const call = createCall(origin, "");
  const before = (await readCodes(data)).length;
  await call(sendCode.path, { username: mobile });
  const payload = { username: mobile, verification_code: await nextCode(data, before) };
  const { token, info } = await call<DataOf<typeof login>>(login.path, payload);
  return { stored: { TOKEN: token, USER_INFO: JSON.stringify(info) }, call: createCall(origin, token) };
}
