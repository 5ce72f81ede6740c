import * as v from "valibot";
import type { Call, DataOf } from "./call.ts";
import { isEnvelope } from "./envelope.ts";

/** What the host answers while the site is built; null without a host. A host that is named but does not answer fails the build. */
export async function atBuild<C extends Call>(call: C, payload: unknown, locale: string): Promise<DataOf<C> | null> {
  const origin = process.env.BUILD_API_ORIGIN;
  if (!origin) return null;
  const response = await fetch(new URL(call.path, origin), {
    method: call.method,
    headers: { "device-type": "web", token: "", "Accept-Language": locale, "Content-Type": "application/json" },
    ...(call.method === "POST" ? { body: JSON.stringify(payload ?? {}) } : {}),
    signal: AbortSignal.timeout(10_000),
  });
  const envelope: unknown = await response.json();
  if (!isEnvelope(envelope) || envelope.code !== 1) {
    throw new Error(`BUILD_API_ORIGIN ${origin} answered ${call.path} with ${JSON.stringify(envelope).slice(0, 200)}`);
  }
  return v.parse(call.data, envelope.data) as DataOf<C>;
}
