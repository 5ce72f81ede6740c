import { type AppOptions, createApp, createContext } from "../../server/app.ts";
import { type Config, readConfig } from "../../server/config/config.ts";
import type { Database } from "../../server/db/database.ts";
import type { Message } from "../../server/lib/sms-sender.ts";
import { runDueTasks } from "../../server/modules/order/scheduler.ts";
import { deleteExpired } from "../../server/modules/session/delete-expired.ts";
import { type CommandResult, executeCommand } from "../../server/operator/command.ts";
import { createCommands } from "../../server/operator/commands.ts";
import { createMessageQueue } from "../../server/sms/message-queue.ts";
import { type Engine, freshDatabase } from "./database.ts";
import { type Guard, removeGuards } from "./removed-guards/remove-guards.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  code: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of its response.
  data: any;
}

export interface Ask {
  /** A GET without body when undefined. Texts and blobs are sent unchanged, other values as JSON. */
  body?: unknown;
  method?: string;
  token?: string;
  locale?: string;
  /** The client's address. */
  from?: string;
  headers?: Record<string, string>;
}

export interface TestServer {
  db: Database;
  config: Config;
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** Sends a request unchanged. */
  fetch(request: Request): Promise<Response>;
  /** Logs a mobile number in with a delivered code and returns the token. */
  logIn(mobile: string, locale?: string): Promise<string>;
  /** Requests a code and returns the delivered one, if any. */
  codeFor(username: string, ask?: Ask): Promise<string | undefined>;
  sent: Message[];
  settled(): Promise<void>;
  /** Runs the scheduler's tasks once. */
  sweep(): Promise<void>;
  /** Runs an `orders` command and returns its output. */
  operate(...args: string[]): Promise<string>;
  /** Runs an operator command. */
  command(name: string, ...args: string[]): Promise<CommandResult>;
  /** Sets the server's clock forward. */
  wait(seconds: number): void;
  now(): Date;
}

interface Options extends Pick<AppOptions, "log"> {
  env?: Record<string, string>;
  /** Guards to remove from the server, in tests that show what they protect. */
  removedGuards?: Guard[];
  /** Replaces the sending of codes. */
  sendMessage?: AppOptions["messages"]["send"];
  /** Uses this database without resetting it. */
  db?: Database;
}

let last = 0;
/** Returns a mobile number that no other test of this worker uses. */
export const newMobile = () => `139${String(process.pid % 1000).padStart(3, "0")}${String(++last).padStart(5, "0")}`;

/** Creates a server in memory on a freshly seeded database, with its own clock and text-message service. */
export async function createTestServer(
  engine: Engine,
  { env = {}, removedGuards = [], db: existing, sendMessage, log }: Options = {},
): Promise<TestServer> {
  const db = existing ?? (await freshDatabase(engine));
  const config = readConfig({ FLOOD_PER_MINUTE: "0", ...env });
  const sent: Message[] = [];
  const messages = createMessageQueue({ send: async (message) => void sent.push(message) });
  // The clock stands still unless a test sets it forward, so that times in responses can be compared.
  let time = Date.now();
  const now = () => new Date(time);
  const parts = { ...(log ? { log } : {}), messages: sendMessage ? { send: sendMessage } : messages };
  const context = removeGuards(createContext({ db, config, key: Buffer.alloc(32, 7), now, ...parts }), removedGuards);
  const app = createApp(context);

  async function ask(path: string, { body, method, token = "", locale = "en-US", from = "192.0.2.1", headers = {} }: Ask = {}) {
    const isRaw = typeof body === "string" || body === undefined || body instanceof Blob;
    const content = isRaw ? body : JSON.stringify(body);
    const request = new Request(`http://host.test${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        "device-type": "web",
        token,
        "accept-language": locale,
        ...(content ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    return readAnswer(await app.fetch(request, { incoming: { socket: { remoteAddress: from } } }));
  }

  async function codeFor(username: string, how: Ask = {}) {
    const before = sent.length;
    const answer = await ask("/v1/VerificationCode/send", { ...how, body: { username } });
    if (answer.code !== 1) throw new Error(`no code: ${answer.text}`);
    await messages.waitUntilIdle();
    return sent[before]?.code;
  }

  async function logIn(mobile: string, locale = "en-US") {
    const verification_code = await codeFor(mobile, { from: `198.51.100.${(last++ % 250) + 1}` });
    const answer = await ask("/v1/user/vcodeLogin", { body: { username: mobile, verification_code }, locale });
    if (answer.code !== 1) throw new Error(`no log-in: ${answer.text}`);
    return answer.data.token;
  }

  const command = (name: string, ...args: string[]) => executeCommand(createCommands(context), name, args);
  const wait = (seconds: number) => {
    time += seconds * 1000;
  };
  return {
    db,
    config,
    ask,
    fetch: async (request) => app.fetch(request, { incoming: { socket: { remoteAddress: "192.0.2.9" } } }),
    logIn,
    codeFor,
    sent,
    settled: messages.waitUntilIdle,
    sweep: () => runDueTasks(context).then(() => deleteExpired(context)),
    operate: async (...args) => (await command("orders", ...args)).text,
    command,
    wait,
    now,
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const { code, msg, data } = text ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, code, msg, data };
}
