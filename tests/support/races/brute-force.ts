import { eq } from "drizzle-orm";
import { loginCodes } from "../../../server/db/schema/session.ts";
import { contract } from "../../../src/api/contract.ts";
import { client } from "../client/client.ts";
import { newMobile, type TestServer } from "../processes/test-server.ts";

/**
 * Guesses at the login codes of one member from any number of addresses, for `days` days, with as many codes as the server sends and
 * `guessesPerCode` guesses each. Only the last guess at a code is right, when no try is left. Every second guess comes from the address that requested
 * the code, which has more tries. Only the server's clock advances.
 */
export async function guessCodes(server: TestServer, days: number, guessesPerCode: number) {
  const username = newMobile();
  const from = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const figures = { codes: 0, guesses: 0, compared: 0, codeCounts: new Map<number, number>() };
  let requester = "";
  const submitCode = async (verification_code: string) => {
    figures.guesses += 1;
    const address = figures.guesses % 2 ? requester : from(figures.guesses);
    const { code } = await client(server).send(contract.login, { username, verification_code }, { from: address });
    figures.codeCounts.set(code, (figures.codeCounts.get(code) ?? 0) + 1);
  };
  for (let round = 0; round < days * 24 * 12; round += 1) {
    server.advanceClock(300);
    const before = server.sentMessages.length;
    requester = from(round);
    await client(server).send(contract.sendCode, { username }, { from: requester });
    await server.waitForDelivery();
    const rightCode = server.sentMessages[before]?.code;
    if (!rightCode) continue;
    figures.codes += 1;
    const wrongCodes = Array.from({ length: guessesPerCode - 1 }, (_, n) =>
      String((Number(rightCode) + 1 + n) % 1_000_000).padStart(6, "0"),
    );
    for (let at = 0; at < wrongCodes.length; at += 20) await Promise.all(wrongCodes.slice(at, at + 20).map(submitCode));
    await submitCode(rightCode);
    const [row] = await server.db.select().from(loginCodes).where(eq(loginCodes.subject, username));
    figures.compared += row?.tries ?? 0;
  }
  return { ...figures, codeCounts: Object.fromEntries(figures.codeCounts) };
}

/** Requests codes for one number from `addresses` addresses within an hour, and returns how many are sent. */
export async function requestCodesFrom(server: TestServer, addresses: number): Promise<number> {
  const username = newMobile();
  const before = server.sentMessages.length;
  for (let n = 0; n < addresses; n += 1) {
    await client(server).send(contract.sendCode, { username }, { from: `10.9.${n >> 8}.${n & 255}` });
    server.advanceClock(3599 / addresses);
  }
  await server.waitForDelivery();
  return server.sentMessages.length - before;
}
