import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { isSessionCall } from "./assertions.ts";
import { assert, formatResponse } from "./client.ts";
import { type ConformanceContext, type Group, getToken } from "./context.ts";

const posts: Call[] = Object.values<Call>(contract).filter(({ method, extension }) => method === "POST" && !extension);
const validated = posts.filter(({ payload }) => payload.type !== "optional");

/** Returns the required fields of a payload. */
function getRequiredFields({ payload }: Call): string[] {
  const parsed = v.safeParse(payload, {});
  return (parsed.issues ?? []).flatMap((issue) => v.getDotPath(issue) ?? []);
}

async function assertRejected(context: ConformanceContext, calls: Call[], token: string): Promise<void> {
  for (const call of calls) {
    const { envelope } = await context.client.expectError("badParameter", call, {}, { token });
    const fields = Object(Object(envelope.data).fields);
    for (const field of getRequiredFields(call)) {
      assert(typeof fields[field] === "string" && fields[field] !== "", `${call.path} has no text for ${field} in data.fields`);
    }
    for (const body of ["[]", "null", "7", '"x"']) {
      const { status, envelope: response, text } = await context.client.send(call.path, { body, token });
      assert(status === 200 && response?.code === 10002, `${call.path} returned ${formatResponse(status, text)} for ${body}`);
    }
  }
}

export const payload: Group = {
  name: "payloads",
  checks: [
    [
      "public calls return 10002 for missing fields, with the fields in data.fields",
      async (context) =>
        assertRejected(
          context,
          validated.filter((call) => !isSessionCall(call)),
          "",
        ),
    ],
    [
      "member calls return 10002 for missing fields, with the fields in data.fields",
      async (context) => assertRejected(context, validated.filter(isSessionCall), getToken(context)),
    ],
    [
      "the session is checked before the payload",
      async ({ client }) => {
        for (const call of validated.filter(isSessionCall)) await client.expectError("sessionInvalid", call, {});
      },
    ],
    [
      "unknown fields are ignored",
      async ({ client }) => {
        await client.data(contract.regionInfo, { region_code: "", surplus: { a: [1] } });
      },
    ],
    [
      "a call without payload accepts an empty body and {}",
      async (context) => {
        const token = getToken(context);
        for (const body of ["", "{}", '{"surplus":1}']) {
          const { status, envelope, text } = await context.client.send(contract.userToken.path, {
            method: "POST",
            body,
            token,
          });
          assert(status === 200 && envelope?.code === 1, `returned ${formatResponse(status, text)} for "${body}"`);
        }
      },
    ],
  ],
};
