import { readFile } from "node:fs/promises";
import { join } from "node:path";

// The demo member, as a person would use a host that prints its login codes: for pictures and measurements.

const mobile = "13800138000";

export interface Demo {
  /** What the site keeps in localStorage for a member who has logged in. */
  stored: { TOKEN: string; USER_INFO: string };
  ask: Ask;
}
type Ask = <Data>(path: string, body?: object) => Promise<Data>;

/** The codes that a host has sent to the demo member, by the outbox in its data folder. */
async function codesSent(data: string): Promise<string[]> {
  const lines = (await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const messages: { to: string; code: string }[] = lines.map((line) => JSON.parse(line));
  return messages.filter(({ to }) => to === mobile).map(({ code }) => code);
}

/** The next code after so many; the host answers before it has been written down. */
async function nextCode(data: string, after: number): Promise<string> {
  for (let tries = 100; tries > 0; tries -= 1) {
    const codes = await codesSent(data);
    if (codes.length > after) return codes.at(-1) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived in ${data}/outbox.jsonl: is that the folder of the host?`);
}

function asker(origin: string, token: string): Ask {
  return async (path, body) => {
    const headers = { "content-type": "application/json", "device-type": "web", token };
    const sent = body && { method: "POST", body: JSON.stringify(body) };
    const { code, msg, data } = await (await fetch(new URL(path, origin), { headers, ...sent })).json();
    // Codes to one number have their pauses.
    if (code === 10004 && data?.retry_after) {
      await new Promise((resolve) => setTimeout(resolve, data.retry_after * 1000));
      return asker(origin, token)(path, body);
    }
    if (code !== 1) throw new Error(`${path} answered ${code}: ${msg}`);
    return data;
  };
}

/** Logs the demo member in at a host whose data lie in a folder. */
export async function logInDemo(origin: string, data: string): Promise<Demo> {
  const ask = asker(origin, "");
  const before = (await codesSent(data)).length;
  await ask("/v1/VerificationCode/send", { username: mobile });
  const code = { username: mobile, verification_code: await nextCode(data, before) };
  const { token, info } = await ask<{ token: string; info: object }>("/v1/user/vcodeLogin", code);
  return { stored: { TOKEN: token, USER_INFO: JSON.stringify(info) }, ask: asker(origin, token) };
}
