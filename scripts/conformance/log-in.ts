import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { codes } from "../../src/api/envelope.ts";
import { mobilePattern } from "../../src/api/field.ts";
import { table } from "../../src/api/table.ts";
import { brief } from "./client.ts";
import type { ConformanceContext, Member } from "./context.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

/** Maximum seconds to wait before sending another code. */
const maxWait = 65;

/** Logs in one of the operator's numbers and checks the rules of login codes. */
export async function logIn(context: ConformanceContext, index: number): Promise<Member> {
  const { client, numbers, codes: source } = context;
  const username = numbers[index];
  if (!username) throw new Skipped("there is no number for this member (--member)");
  if (!source) throw new Skipped("login codes cannot be read (--code-command, --outbox, or a terminal)");
  const since = new Date();
  await send(context, username);
  const early = await client.expectError("tooFrequent", table.sendCode, { username });
  assert(early.status === 200, `a second code at once returned HTTP ${early.status}`);
  const verification_code = await source.codeFor(username, since);
  assert(
    !client.responses.some(({ path, text }) => path === table.sendCode.path && text.includes(verification_code)),
    "a response contains the login code",
  );

  const wrong = verification_code === "000000" ? "000001" : "000000";
  const refused = await client.expectError("wrongCode", table.login, { username, verification_code: wrong });
  const member = await client.data(table.login, { username, verification_code });
  const again = await client.expectError("wrongCode", table.login, { username, verification_code });
  assertEqual(again.text, refused.text, "the response to a used code");
  return member;
}

async function send({ client }: ConformanceContext, username: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const { status, envelope, text } = await client.call(table.sendCode, { username });
    const wait = Number(Object(envelope?.data).retry_after);
    if (envelope?.code === codes.tooFrequent && turn === 0 && wait <= maxWait) await pause(wait * 1000);
    else if (envelope?.code === codes.tooFrequent)
      throw new Skipped(`the server sends no more codes for now (${envelope.msg})`);
    else {
      assert(envelope?.code === codes.success, `no code was sent: ${brief(status, text)}`);
      const data = v.safeParse(table.sendCode.data, envelope.data);
      assert(data.success, "the response does not fit the contract");
      assert(!mobilePattern.test(data.output.target), "target contains the whole number");
      assertEqual(data.output.code_length, 6, "code_length");
      return;
    }
  }
}
