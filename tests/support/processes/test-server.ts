import { join } from "node:path";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import { root } from "#scripts/child-processes.ts";
import type { AppOptions } from "#server/app.ts";
import { type Config, readConfig } from "#server/config/config.ts";
import type { Message } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import type { runDueTasks } from "#server/modules/order/scheduler.ts";
import type { CommandResult } from "#server/operator/command.ts";
import { createAliyunSender } from "#server/sms/aliyun.ts";
import { createMessageQueue } from "#server/sms/sms.ts";
import { contract } from "#src/api/contract.ts";
import { createRequest, readResponse, type TestRequest, type TestResponse } from "../client/client.ts";
import { expectLedger } from "../database/catalogue.ts";
import { type Engine, freshDatabase } from "../database/database.ts";
import { type Mutation, mutateSources } from "../races/mutations.ts";

export interface TestServer {
  db: Database;
  config: Config;
  /** Sends a raw request. Calls of the contract go through `client`. */
  request(path: string, options?: TestRequest): Promise<TestResponse>;
  /** Sends a request unchanged. */
  fetch(request: Request): Promise<Response>;
  /** Logs a mobile number in with a delivered code and returns the token. */
  logIn(mobile: string, locale?: string): Promise<string>;
  /** Requests a code and returns the delivered one, if any. */
  requestCode(username: string, options?: TestRequest): Promise<string | undefined>;
  sentMessages: Message[];
  /** Waits until every message has been sent. */
  waitForDelivery(): Promise<void>;
  /** Runs the scheduler's tasks once. */
  runScheduler(): Promise<void>;
  /** Runs an `orders` command and returns its output. */
  runOrdersCommand(...args: string[]): Promise<string>;
  /** Runs an operator command. */
  runCommand(name: string, ...args: string[]): Promise<CommandResult>;
  /** Sets the server's clock forward. */
  advanceClock(seconds: number): void;
  now(): Date;
}

interface Options extends Pick<AppOptions, "log"> {
  env?: Record<string, string>;
  /** Changes of the sources, in tests that show what a guard protects. */
  mutations?: Mutation[];
  /** Replaces the sending of codes. */
  sendMessage?: AppOptions["messages"]["send"];
  /** Uses this database without resetting it. */
  db?: Database;
  /** The secret key. */
  key?: Buffer;
}

let last = 0;
/** Returns a mobile number that no other test of this worker uses. */
export const newMobile = () => `139${String(process.pid % 1000).padStart(3, "0")}${String(++last).padStart(5, "0")}`;

/** Stock is checked after each test; a server of `beforeAll` is not. */
function checkLedgerAfterTest(db: Database): void {
  try {
    onTestFinished(() => expectLedger(db));
  } catch {}
}

/** Loads what a test server is made of, from the sources or a changed copy of them. */
async function loadServer(mutations: readonly Mutation[]) {
  const folder = mutations.length > 0 ? mutateSources(mutations) : root;
  const load = (file: string) => import(join(folder, "server", file));
  const [app, scheduler, sessions, command, operator]: [
    typeof import("#server/app.ts"),
    { runDueTasks: typeof runDueTasks },
    typeof import("#server/modules/session/token.ts"),
    typeof import("#server/operator/command.ts"),
    typeof import("#server/operator/commands.ts"),
  ] = await Promise.all([
    load("app.ts"),
    load("modules/order/scheduler.ts"),
    load("modules/session/token.ts"),
    load("operator/command.ts"),
    load("operator/commands.ts"),
  ]);
  return { ...app, ...scheduler, ...sessions, ...command, ...operator };
}

/** Creates a server in memory on a freshly seeded database, with its own clock. It records messages, or sends them with SMS=aliyun. */
export async function createTestServer(
  engine: Engine,
  { env = {}, mutations = [], db: existing, key = Buffer.alloc(32, 7), sendMessage, log }: Options = {},
): Promise<TestServer> {
  const db = existing ?? (await freshDatabase(engine));
  if (!existing && mutations.length === 0) checkLedgerAfterTest(db);
  const config = readConfig({ FLOOD_PER_MINUTE: "0", ...env });
  const sentMessages: Message[] = [];
  const recorder = { send: async (message: Message) => void sentMessages.push(message) };
  // The service's clock is the real one.
  const messages = createMessageQueue(config.SMS === "aliyun" ? createAliyunSender(config, () => new Date()) : recorder);
  // The clock stands still unless a test sets it forward, so that times in responses can be compared.
  let time = Date.now();
  const now = () => new Date(time);
  const parts = { ...(log ? { log } : {}), messages: sendMessage ? { send: sendMessage } : messages };
  const {
    createContext,
    createApp,
    runDueTasks: runTasks,
    deleteExpired,
    executeCommand,
    createCommands,
  } = await loadServer(mutations);
  const context = createContext({ db, config, key, now, ...parts });
  const app = createApp(context);

  async function request(path: string, { from = "192.0.2.1", ...options }: TestRequest = {}) {
    const sent = createRequest(`http://host.test${path}`, options);
    return readResponse(await app.fetch(sent, { incoming: { socket: { remoteAddress: from } } }));
  }

  async function requestCode(username: string, options: TestRequest = {}) {
    const before = sentMessages.length;
    const { code, text } = await request(contract.sendCode.path, { ...options, body: { username } });
    if (code !== 1) throw new Error(`no code: ${text}`);
    await messages.waitUntilIdle();
    return sentMessages[before]?.code;
  }

  async function logIn(mobile: string, locale = "en-US") {
    const verification_code = await requestCode(mobile, { from: `198.51.100.${(last++ % 250) + 1}` });
    const { code, data, text } = await request(contract.login.path, { body: { username: mobile, verification_code }, locale });
    if (code !== 1) throw new Error(`no log-in: ${text}`);
    return v.parse(contract.login.data, data).token;
  }

  const runCommand = (name: string, ...args: string[]) => executeCommand(createCommands(context), name, args, "tester");
  const advanceClock = (seconds: number) => {
    time += seconds * 1000;
  };
  return {
    db,
    config,
    request,
    fetch: async (request) => app.fetch(request, { incoming: { socket: { remoteAddress: "192.0.2.9" } } }),
    logIn,
    requestCode,
    sentMessages,
    waitForDelivery: messages.waitUntilIdle,
    runScheduler: () => runTasks(context).then(() => deleteExpired(context)),
    runOrdersCommand: async (...args) => (await runCommand("orders", ...args)).text,
    runCommand,
    advanceClock,
    now,
  };
}
