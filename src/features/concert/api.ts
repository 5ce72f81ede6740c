import * as v from "valibot";
import { send } from "#src/api/client.ts";
import { forward, type forwardTargets, getPlan, planState } from "#src/api/concert.ts";
import { NetworkError } from "#src/api/envelope.ts";
import { concertId } from "#src/api/paths.ts";

async function forwardCall(
  target: (typeof forwardTargets)[number],
  userToken: string,
  change: { IsPlan?: boolean },
  isUserAction: boolean,
): Promise<boolean> {
  const { response_data } = await send(
    forward,
    {
      request_url: target,
      request_method: "POST",
      request_header: { "content-type": "application/json", authorization: `Bearer ${userToken}` },
      request_data: { Id: concertId, ...change },
    },
    { isUserAction },
  );
  try {
    const state = v.safeParse(planState, JSON.parse(response_data));
    if (state.success) return state.output.data.IsPlan;
  } catch {}
  throw new NetworkError("unreadable");
}

/** Requests from the concert server whether the member has joined. Rejects as `send` does. */
export function fetchPlan(userToken: string): Promise<boolean> {
  return forwardCall("/api/concert/getplan", userToken, {}, false);
}

/** Joins or leaves, and returns what the concert server confirms. Rejects as `send` does. */
export function sendPlan(userToken: string, isPlan: boolean): Promise<boolean> {
  return forwardCall("/api/concert/setplan", userToken, { IsPlan: isPlan }, true);
}

/** Counts a visitor. Ignores the response and failures. */
export async function countAnonymously(): Promise<void> {
  await send(getPlan, { id: concertId }).catch(() => {});
}
