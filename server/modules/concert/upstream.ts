import * as v from "valibot";
import { planState } from "../../../src/api/concert.ts";
import { codes } from "../../../src/api/envelope.ts";
import { ApiError } from "../../lib/errors.ts";
import type { PlanRequest, Target } from "./plan.ts";

const timeout = 5_000;
const maxResponse = 64 * 1024;

/** Forwards a request to the concert back end at CONCERT_ORIGIN. Throws 10503 (HTTP 503) when it fails, takes over 5 s, redirects, or returns anything but a plan's state. */
export async function fetchOrigin(
  origin: string,
  target: Target,
  request: PlanRequest,
  authorization: string,
): Promise<{ IsPlan: boolean }> {
  try {
    const response = await fetch(origin + target, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", authorization },
      body: JSON.stringify(request),
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`it responded with ${response.status}`);
    return parseState(await readText(response));
  } catch (error) {
    console.error(`The concert back end failed: ${error instanceof Error ? error.message : "no reason given"}`);
    throw new ApiError(codes.unavailable, null, 503);
  }
}

function parseState(text: string): { IsPlan: boolean } {
  // The parsers' own messages would repeat the response in the log.
  try {
    return v.parse(planState, JSON.parse(text)).data;
  } catch {
    throw new Error("its response is not the state of a plan");
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxResponse) throw new Error("its response is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
