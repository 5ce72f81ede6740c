import * as v from "valibot";
import type { Call, DataOf } from "./call.ts";
import { codes, type Envelope, isEnvelope } from "./envelope.ts";
import { requestHeaders } from "./headers.ts";

/** Milliseconds until a call counts as unanswered. */
const timeout = 10_000;

/**
 * What the server answers while the site is built. `null`: it has nothing there (10003). `undefined`: the site is built
 * without a server, so nobody knows. Rejects, and so stops the build, on any other refusal and on no readable answer.
 */
export async function fetchAtBuild<C extends Call>(
  call: C,
  payload: unknown,
  locale: string,
): Promise<DataOf<C> | null | undefined> {
  const origin = process.env.BUILD_API_ORIGIN;
  if (!origin) return undefined;
  const { code, msg, data } = await askOnce(origin, call, payload, locale);
  const server = `The API server at ${origin}`;
  if (code === codes.notFound) return null;
  if (code !== codes.success) throw new Error(`${server} refuses ${call.method} ${call.path} with code ${code}: ${msg}`);
  const parsed = v.safeParse(call.data, data);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const field = v.getDotPath(issue) ?? "data";
    throw new Error(`${server} answers ${call.method} ${call.path} outside the contract: ${field}: ${issue.message}`);
  }
  return parsed.output as DataOf<C>;
}

const answers = new Map<string, Promise<Envelope>>();

/** A build asks each question once; in development the catalogue changes while the site is served. */
function askOnce(origin: string, call: Call, payload: unknown, locale: string): Promise<Envelope> {
  if (import.meta.env.DEV) return ask(origin, call, payload, locale);
  const key = JSON.stringify([origin, call.path, payload, locale]);
  const answer = answers.get(key) ?? ask(origin, call, payload, locale);
  answers.set(key, answer);
  return answer;
}

async function ask(origin: string, call: Call, payload: unknown, locale: string): Promise<Envelope> {
  const asked = `${call.method} ${call.path}`;
  const request = {
    method: call.method,
    headers: { "Content-Type": "application/json", ...requestHeaders("", locale) },
    ...(call.method === "POST" ? { body: JSON.stringify(payload ?? {}) } : {}),
    signal: AbortSignal.timeout(timeout),
  };
  const response = await untilItListens(() => fetch(new URL(call.path, origin), request)).catch((error: Error) => {
    throw new Error(`The API server at ${origin} does not answer ${asked}: ${error.message}`, { cause: error });
  });
  const text = await response.text();
  const envelope = parseJson(text);
  if (isEnvelope(envelope)) return envelope;
  throw new Error(
    `The API server at ${origin} answers ${asked} with HTTP ${response.status} and no envelope: ${text.slice(0, 200)}`,
  );
}

/** In development the server is away for a second after each change of its sources. */
async function untilItListens(send: () => Promise<Response>): Promise<Response> {
  const deadline = Date.now() + (import.meta.env.DEV ? timeout : 0);
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
