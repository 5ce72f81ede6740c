import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { table } from "../../src/api/table.ts";
import { isSessionCall } from "./assertions.ts";
import { brief } from "./client.ts";
import { type ConformanceContext, type Group, getToken } from "./context.ts";
import { assert } from "./outcome.ts";

const posts: Call[] = Object.values<Call>(table).filter(({ method }) => method === "POST");
const checked = posts.filter(({ payload }) => payload.type !== "optional");

/** Returns the required fields of a payload. */
function getRequiredFields({ payload }: Call): string[] {
  const read = v.safeParse(payload, {});
  return (read.issues ?? []).flatMap((issue) => v.getDotPath(issue) ?? []);
}

async function assertRejected(context: ConformanceContext, which: Call[], token: string): Promise<void> {
  for (const call of which) {
    const { envelope } = await context.client.expectError("badParameter", call, {}, { token });
    const fields = Object(Object(envelope.data).fields);
    for (const field of getRequiredFields(call)) {
      assert(
        typeof fields[field] === "string" && fields[field] !== "",
        `${call.path} does not say in data.fields what is wrong with ${field}`,
      );
    }
    for (const body of ["[]", "null", "7", '"x"']) {
      const { status, envelope: answered, text } = await context.client.raw(call.path, { body, token });
      assert(status === 200 && answered?.code === 10002, `${call.path} answered ${body} with ${brief(status, text)}`);
    }
  }
}

export const payload: Group = {
  name: "payloads",
  checks: [
    [
      "public calls refuse what is missing with 10002, and name the fields",
      async (context) =>
        assertRejected(
          context,
          checked.filter((call) => !isSessionCall(call)),
          "",
        ),
    ],
    [
      "members' calls refuse what is missing with 10002, and name the fields",
      async (context) => assertRejected(context, checked.filter(isSessionCall), getToken(context)),
    ],
    [
      "the session is looked at before the payload",
      async ({ client }) => {
        for (const call of checked.filter(isSessionCall)) await client.expectError("sessionInvalid", call, {});
      },
    ],
    [
      "fields that are not known are ignored",
      async ({ client }) => {
        await client.data(table.regionInfo, { region_code: "", surplus: { a: [1] } });
      },
    ],
    [
      "a payload of none is an empty body or {}",
      async (context) => {
        const token = getToken(context);
        for (const body of ["", "{}", '{"surplus":1}']) {
          const { status, envelope, text } = await context.client.raw(table.userToken.path, { method: "POST", body, token });
          assert(status === 200 && envelope?.code === 1, `"${body}" was answered ${brief(status, text)}`);
        }
      },
    ],
  ],
};
