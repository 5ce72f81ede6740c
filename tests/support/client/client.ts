import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Call, DataOf, PayloadOf } from "../../../src/api/call.ts";
import { requestAt, type TestRequest, type TestResponse } from "./http.ts";

/** Token, language, address and headers of a call. */
export type CallOptions = Omit<TestRequest, "body" | "method">;

/** A server in memory, or one at an origin. */
interface Target {
  request(path: string, options?: TestRequest): Promise<TestResponse>;
}

export type Client = ReturnType<typeof client>;

/** Returns typed calls of the contract to a server; `defaults` apply to every call. */
export function client(server: Target, defaults: CallOptions = {}) {
  /** Sends any payload and returns the whole response. Throws when it is no envelope. */
  async function send(row: Call, payload?: unknown, options: CallOptions = {}): Promise<TestResponse> {
    const body = row.method === "POST" ? { body: payload ?? {} } : {};
    const response = await server.request(row.path, { ...defaults, ...options, method: row.method, ...body });
    if (response.code === 0) throw new Error(`${row.path} returns no envelope: ${response.text}`);
    return response;
  }

  /** Returns the data of a success. Throws on an error code and on data that differs from the contract. */
  async function call<C extends Call>(row: C, payload?: PayloadOf<C>, options?: CallOptions): Promise<DataOf<C>> {
    const { code, data, text } = await send(row, payload, options);
    if (code !== 1) throw new Error(`${row.path} fails: ${text}`);
    const parsed = v.parse<C["data"]>(row.data, data);
    if (!isDeepStrictEqual(parsed, data)) throw new Error(`${row.path} returns fields outside the contract: ${text}`);
    return parsed;
  }

  /** Returns the code of an error, for any payload. Throws on success. */
  async function error(row: Call, payload?: unknown, options?: CallOptions): Promise<number> {
    const { code, text } = await send(row, payload, options);
    if (code === 1) throw new Error(`${row.path} succeeds: ${text}`);
    return code;
  }

  /** Returns the names of the fields that the server refuses with 10002. */
  async function invalidFields(row: Call, payload: unknown, options?: CallOptions): Promise<string[]> {
    const { code, data, text } = await send(row, payload, options);
    if (code !== 10002) throw new Error(`${row.path} does not return 10002: ${text}`);
    return Object.keys(v.parse(v.object({ fields: v.record(v.string(), v.string()) }), data).fields);
  }

  return { send, call, error, invalidFields };
}

/** Returns typed calls of the contract to the server at `origin`. */
export function clientAt(origin: string, defaults?: CallOptions): Client {
  return client({ request: (path, options) => requestAt(origin, path, options) }, defaults);
}
