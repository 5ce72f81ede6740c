import { contract } from "#src/api/contract.ts";
import { clientAt, type TestResponse } from "../client/client.ts";
import type { LoadUser } from "./load.ts";

export interface Visit extends Pick<TestResponse, "status" | "code"> {
  /** When it was sent and how long it took, in ms. */
  at: number;
  ms: number;
  retryAfter: string | null;
}

/** Lets each member write in a transaction, write in one statement, and read, one call after the other, until `stop`, which returns all responses. */
export function startVisitors(origin: string, users: LoadUser[]) {
  const visits: Visit[] = [];
  let stopped = false;
  const { send } = clientAt(origin);
  const payload = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "Road 1", is_default: true };
  const visit = async ({ token, addressId }: LoadUser) => {
    const calls = [
      () => send(contract.addressUp, { ...payload, address_id: addressId }, { token }),
      () => send(contract.login, { username: "13800138000", verification_code: "000000" }),
      () => send(contract.addressLists, undefined, { token }),
    ];
    while (!stopped)
      for (const call of calls) {
        const at = performance.now();
        const { status, code, headers } = await call();
        visits.push({ at, ms: performance.now() - at, status, code, retryAfter: headers.get("retry-after") });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
  };
  const done = Promise.all(users.map(visit));
  return {
    visits,
    async stop() {
      stopped = true;
      await done;
      return visits;
    },
  };
}
