import * as v from "valibot";
import { planState } from "../../src/api/concert.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "./client.ts";
import { newMobile, type TestServer } from "./test-server.ts";

/** Creates a member who can use the concert plan. `forwardCall` sends a valid request, changed by `request`. */
export async function createConcertMember(server: TestServer, mobile = newMobile()) {
  const token = await server.logIn(mobile);
  const { call, send } = client(server, { token });
  const tokens = await call(contract.userToken);
  const payload = (changes: object) => ({
    request_url: "/api/concert/getplan",
    request_method: "POST",
    request_header: { "content-type": "application/json", authorization: `Bearer ${tokens.app_user_token}` },
    request_data: { Id: 1001 },
    ...changes,
  });
  const forwardCall = (changes: object = {}) => send(contract.forward, payload(changes));
  const plan = async (request_data: object) => {
    const request_url = "IsPlan" in request_data ? "/api/concert/setplan" : "/api/concert/getplan";
    const { response_data } = await call(contract.forward, payload({ request_url, request_data }));
    return v.parse(planState, JSON.parse(response_data)).data.IsPlan;
  };
  return { call, token, tokens, forwardCall, plan };
}
