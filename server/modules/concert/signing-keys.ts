import { gt, lte } from "drizzle-orm";
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from "jose";
import type { Context } from "#server/context.ts";
import { signingKeys } from "#server/db/schema/session.ts";
import { hmac } from "#server/lib/crypto.ts";

/** ECDSA on P-256, which libraries of every language verify. */
export const algorithm = "ES256";

const day = 24 * 3600_000;
/** Time for which a key signs, in ms. */
const period = 30 * day;
/** Time for which a key is published after that, in ms: for tokens that are still valid, clocks that are behind and clients that store the key set. */
const overlap = day;

type Keys = Pick<Context, "db" | "key" | "now">;
type Row = typeof signingKeys.$inferSelect;

/** Derives the name of a period's key: all processes with one SECRET_KEY agree on it, so that the primary key lets them create one. */
const toKid = ({ key }: Keys, number: number) => hmac(key, "signing key", String(number)).slice(0, 16);

const getPeriod = (at: Date) => Math.floor(at.getTime() / period);

/** The key that private keys are encrypted with, of 256 bits. */
const getEncryptionKey = ({ key }: Keys) => Buffer.from(hmac(key, "private keys"), "base64url");

async function createRow(keys: Keys, number: number): Promise<Row> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const text = JSON.stringify(await exportJWK(pair.privateKey));
  const encryption = new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ alg: "dir", enc: "A256GCM" });
  return {
    kid: toKid(keys, number),
    publicKey: await exportJWK(pair.publicKey),
    privateKey: await encryption.encrypt(getEncryptionKey(keys)),
    signsFrom: new Date(number * period),
    signsUntil: new Date((number + 1) * period),
  };
}

/** Creates the keys of these periods, and deletes those that are published no longer. */
async function rotate(keys: Keys, missing: number[]): Promise<void> {
  const created = await Promise.all(missing.map((number) => createRow(keys, number)));
  await keys.db.insert(signingKeys).values(created).onConflictDoNothing();
  await keys.db.delete(signingKeys).where(lte(signingKeys.signsUntil, getOverlapStart(keys)));
}

const getOverlapStart = ({ now }: Keys) => new Date(now().getTime() - overlap);

/**
 * Returns the keys that verify tokens: the one that signs, the next one, which is published meanwhile, and those that have signed until a day ago.
 * Creates what is missing; of several processes that do at once, all return the same.
 */
async function readSigningKeys(keys: Keys): Promise<Row[]> {
  const find = () =>
    keys.db
      .select()
      .from(signingKeys)
      .where(gt(signingKeys.signsUntil, getOverlapStart(keys)))
      .orderBy(signingKeys.signsFrom);
  const rows = await find();
  const current = getPeriod(keys.now());
  const missing = [current, current + 1].filter((number) => rows.every(({ kid }) => kid !== toKid(keys, number)));
  if (missing.length === 0) return rows;
  await rotate(keys, missing);
  return find();
}

/** Returns the key that signs now, with its name. */
export async function getSigningKey(keys: Keys) {
  const kid = toKid(keys, getPeriod(keys.now()));
  const row = (await readSigningKeys(keys)).find((candidate) => candidate.kid === kid);
  if (!row) throw new Error("the signing key is not in its table");
  const { plaintext } = await compactDecrypt(row.privateKey, getEncryptionKey(keys));
  return { kid, privateKey: await importJWK(JSON.parse(Buffer.from(plaintext).toString("utf8")), algorithm) };
}

/** Returns the public keys as a JSON Web Key Set (RFC 7517). */
export async function readKeySet(keys: Keys) {
  const rows = await readSigningKeys(keys);
  return { keys: rows.map(({ kid, publicKey }) => ({ ...publicKey, kid, alg: algorithm, use: "sig" })) };
}
