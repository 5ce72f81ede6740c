// @module-tag full
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxBodySize } from "../../server/http/body.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { createLargeBody, payloads, repeatedTexts, textFields } from "../support/contract/payloads.ts";
import { deliveredTo, newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

const mobile = "13800138000";

describe("a text of 64 KB", () => {
  let origin = "";
  let token = "";
  beforeAll(async () => {
    const folder = newFolder("seeded");
    const limit = "1000000";
    const env = { DATA_DIR: folder, CODES_PER_HOUR: limit, CODES_PER_DAY: limit, CODES_PER_HOUR_PER_IP: limit };
    origin = (await startServer(env)).origin;
    await clientAt(origin).send(contract.sendCode, { username: mobile });
    const verification_code = await deliveredTo(folder, mobile);
    ({ token } = await clientAt(origin).call(contract.login, { username: mobile, verification_code }));
  });
  afterAll(stopServersAndRemoveFolders);

  /** Returns whether another call is answered within 250 ms while the bodies are processed. */
  async function isFree(path: string, bodies: string[]): Promise<boolean> {
    const headers = { "content-type": "application/json", "device-type": "web", token };
    const requests = bodies.map((body) => fetch(origin + path, { method: "POST", headers, body }));
    // Lets the bodies arrive.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const concurrentRequest = fetch(`${origin}/v1/goods/allLists`, { signal: AbortSignal.timeout(250) });
    const free = await concurrentRequest.then(
      async (response) => (await response.json()).code === 1,
      () => false,
    );
    for (const response of await Promise.all(requests)) expect(response.status).toBeLessThan(500);
    return free;
  }

  const fields = Object.values(contract).flatMap(({ method, path, payload }) => {
    const validPayload = JSON.parse(JSON.stringify(payloads[path] ?? {}).replace(/\{[a-z ]+\}/g, "x"));
    return method === "POST"
      ? textFields(payload, validPayload).map((field) => [`${path} ${field.name}`, path, field] as const)
      : [];
  });

  it("is tested in every text field of the contract", () => {
    expect(fields.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "/v1/address/add detail",
        "/v1/booking/makeBooking note",
        "/v1/main/forwardCallApi a value in request_header",
        "/v1/mall/createOrder note",
        "/v1/user/vcodeLogin verification_code",
      ]),
    );
  });

  it.each(fields)("in %s does not block other calls", async (_name, path, field) => {
    for (const [name, repeated] of Object.entries(repeatedTexts)) {
      // Alone, and between letters, where it is not trimmed.
      const bodies = ["", "甲"].map((edge) => createLargeBody(repeated, maxBodySize, (text) => field.fill(edge + text + edge)));
      for (const body of bodies) expect(Buffer.byteLength(body)).toBeGreaterThan(maxBodySize - 20);
      // Retries twice, because a busy machine may be late.
      const free = (await isFree(path, bodies)) || (await isFree(path, bodies)) || (await isFree(path, bodies));
      expect({ repeated: name, free }).toEqual({ repeated: name, free: true });
    }
  });
});
