import { once } from "node:events";
import jwt from "jsonwebtoken";
import { JwksClient } from "jwks-rsa";
import { createListener } from "#server/http/listener.ts";
import { createTestServer, type TestServer } from "../processes/test-server.ts";
import { startStubBackend } from "./concert-backend.ts";

/**
 * Starts a concert back end that knows of the shop its origin alone. It verifies each bearer by the shop's key set, with packages other than the server's, and
 * stores the plan of the token's subject.
 */
async function startVerifyingBackend(shop: string) {
  const keySet = new JwksClient({ jwksUri: `${shop}/.well-known/jwks.json` });
  const plans = new Map<string, boolean>();
  const getKey: jwt.GetPublicKeyOrSecret = ({ kid }, callback) =>
    keySet.getSigningKey(kid, (error, key) => callback(error, key?.getPublicKey()));
  const backend = await startStubBackend(({ headers }, response) => {
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    const rules = { algorithms: ["ES256" as const], issuer: shop, audience: backend.origin };
    jwt.verify(token, getKey, rules, (error, claims) => {
      if (error || typeof claims?.sub !== "string") return response.writeHead(401).end(error?.message);
      const { IsPlan } = JSON.parse(backend.requests.at(-1)?.body || "{}");
      if (typeof IsPlan === "boolean") plans.set(claims.sub, IsPlan);
      return response.end(JSON.stringify({ data: { IsPlan: plans.get(claims.sub) ?? false } }));
    });
  });
  /** Presents a token directly; returns why it is refused, or null. */
  const findFault = async (token: string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(`${backend.origin}/api/concert/getplan`, { method: "POST", headers, body: "{}" });
    return response.ok ? null : response.text();
  };
  return { ...backend, findFault };
}

/** Starts a server whose key set can be fetched, and such a back end as its concert API. */
export async function startWithVerifyingBackend(...[engine, options]: Parameters<typeof createTestServer>) {
  const listener = createListener((request) => server.fetch(request));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const shop = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const backend = await startVerifyingBackend(shop);
  const env = { HOST_ORIGIN: shop, CONCERT_ORIGIN: backend.origin, ...options?.env };
  const server: TestServer = await createTestServer(engine, { ...options, env });
  const close = async () => {
    listener.closeAllConnections();
    listener.close();
    await backend.close();
  };
  return { server, backend, shop, close };
}
