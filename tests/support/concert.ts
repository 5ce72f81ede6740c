import * as v from "valibot";
import { forward, planState } from "../../src/api/concert.ts";
import { newMobile, type TestServer } from "./test-server.ts";

/** Creates a member who can use the concert plan. `forwardCall` sends a valid request, changed by `request`. */
export async function createConcertMember(server: TestServer, mobile = newMobile()) {
  const token = await server.logIn(mobile);
  const { data } = await server.ask("/v1/marsx/userToken", { body: {}, token });
  const forwardCall = (request: object = {}) =>
    server.ask("/v1/main/forwardCallApi", {
      token,
      body: {
        request_url: "/api/concert/getplan",
        request_method: "POST",
        request_header: { "content-type": "application/json", authorization: `Bearer ${data.app_user_token}` },
        request_data: { Id: 1001 },
        ...request,
      },
    });
  const plan = async (request_data: object) => {
    const request_url = "IsPlan" in request_data ? "/api/concert/setplan" : "/api/concert/getplan";
    const answer = await forwardCall({ request_url, request_data });
    const { response_data } = v.parse(forward.data, answer.data);
    return v.parse(planState, JSON.parse(response_data)).data.IsPlan;
  };
  return { token, tokens: data, forwardCall, plan };
}
