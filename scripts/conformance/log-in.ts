import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { mobilePattern } from "../../src/api/field.ts";
import { formatResponse } from "./client.ts";
import type { ConformanceContext, Member } from "./context.ts";
import { assert, assertEqual, CheckSkipped } from "./outcome.ts";

/** Maximum seconds to wait before sending another code. */
const maxWaitSeconds = 65;

/** Logs in one of the operator's numbers and checks the rules of login codes. */
export async function logIn(context: ConformanceContext, memberIndex: number): Promise<Member> {
  const { client, numbers, codes: source } = context;
  const username = numbers[memberIndex];
  if (!username) throw new CheckSkipped("there is no number for this member (--member)");
  if (!source) throw new CheckSkipped("login codes cannot be read (--code-command, --outbox, or a terminal)");
  const since = new Date();
  await sendCode(context, username);
  const early = await client.expectError("tooFrequent", contract.sendCode, { username });
  assert(early.status === 200, `a second code at once returned HTTP ${early.status}`);
  const verification_code = await source.getCode(username, since);
  assert(
    !client.responses.some(({ path, text }) => path === contract.sendCode.path && text.includes(verification_code)),
    "a response contains the login code",
  );

  const wrongCode = verification_code === "000000" ? "000001" : "000000";
  const wrongCodeResponse = await client.expectError("wrongCode", contract.login, { username, verification_code: wrongCode });
  const member = await client.data(contract.login, { username, verification_code });
  const usedCodeResponse = await client.expectError("wrongCode", contract.login, { username, verification_code });
  assertEqual(usedCodeResponse.text, wrongCodeResponse.text, "the response to a used code");
  return member;
}

async function sendCode({ client }: ConformanceContext, username: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, envelope, text } = await client.call(contract.sendCode, { username });
    const wait = Number(Object(envelope?.data).retry_after);
    if (envelope?.code === codes.tooFrequent && attempt === 0 && wait <= maxWaitSeconds) await pause(wait * 1000);
    else if (envelope?.code === codes.tooFrequent)
      throw new CheckSkipped(`the server sends no more codes for now (${envelope.msg})`);
    else {
      assert(envelope?.code === codes.success, `no code was sent: ${formatResponse(status, text)}`);
      const data = v.safeParse(contract.sendCode.data, envelope.data);
      assert(data.success, "the response does not fit the contract");
      assert(!mobilePattern.test(data.output.target), "target contains the whole number");
      assertEqual(data.output.code_length, 6, "code_length");
      return;
    }
  }
}
