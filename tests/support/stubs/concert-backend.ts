import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import * as v from "valibot";
import { planState } from "#src/api/concert.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "../client/client.ts";
import { newMobile, type TestServer } from "../processes/test-server.ts";

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

/** Starts a stub of the concert back end that records requests and counts connections. */
export async function startStubBackend(listener: RequestListener) {
  let connections = 0;
  const requests: { url: string | undefined; method: string | undefined; headers: object; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    requests.push({ url: request.url, method: request.method, headers: request.headers, body });
    listener(request, response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${port}`, port, requests, connections: () => connections, close };
}
