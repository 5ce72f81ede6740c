import * as v from "valibot";
import { planState } from "../../../src/api/concert.ts";
import { codes } from "../../../src/api/envelope.ts";
import { ApiError } from "../../lib/api-error.ts";
import type { PlanRequest, Target } from "./plan.ts";

const patience = 5_000;
const maxAnswer = 64 * 1024;

/** Asks the concert back end at CONCERT_ORIGIN. Throws 10503 (HTTP 503) when it fails, takes over 5 s, redirects, or answers anything but the state of a plan. */
export async function fetchOrigin(
  origin: string,
  target: Target,
  request: PlanRequest,
  authorization: string,
): Promise<{ IsPlan: boolean }> {
  try {
    const answer = await fetch(origin + target, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", authorization },
      body: JSON.stringify(request),
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok) throw new Error(`it answered with ${answer.status}`);
    return readState(await readText(answer));
  } catch (error) {
    console.error(`The concert back end failed: ${error instanceof Error ? error.message : "no reason given"}`);
    throw new ApiError(codes.unavailable, null, 503);
  }
}

function readState(text: string): { IsPlan: boolean } {
  // What another host wrote is not repeated in our log, as the parsers' own messages would.
  try {
    return v.parse(planState, JSON.parse(text)).data;
  } catch {
    throw new Error("its answer is not the state of a plan");
  }
}

async function readText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.byteLength;
    if (size > maxAnswer) throw new Error("its answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
