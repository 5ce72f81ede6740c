import * as v from "valibot";
import { send } from "../../api/client.ts";
import { forward, type forwardTargets, getPlan, planState } from "../../api/concert.ts";
import { NetworkError } from "../../api/errors.ts";
import { concertId } from "../../api/paths.ts";

/** Asks the concert back end, through the host, and answers whether the member is in. Rejects as `send` does. */
export async function forwardConcert(
  target: (typeof forwardTargets)[number],
  userToken: string,
  change: { IsPlan?: boolean },
  acted: boolean,
): Promise<boolean> {
  const { response_data } = await send(
    forward,
    {
      request_url: target,
      request_method: "POST",
      request_header: { "content-type": "application/json", authorization: `Bearer ${userToken}` },
      request_data: { Id: concertId, ...change },
    },
    { acted },
  );
  try {
    return v.parse(planState, JSON.parse(response_data)).data.IsPlan;
  } catch {
    throw new NetworkError("unreadable");
  }
}

/** The count as a visitor sees it: the answer is not read, and a failure is nobody's business. */
export async function countAnonymously(): Promise<void> {
  await send(getPlan, { id: concertId }).catch(() => {});
}
