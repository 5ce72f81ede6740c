import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits from the CSPRNG, as text for headers and URLs. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text from outside may be one of ours: nothing else is asked of the database. */
export const isToken = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text);

export function sha256(text: string): string {
  return hash("sha256", text);
}

/** HMAC-SHA-256 over parts that cannot run into each other; `purpose` keeps one use's digests from serving another. */
export function hmac(key: Buffer, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}

/** Takes the same time wherever two texts differ. */
export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(createHash("sha256").update(one).digest(), createHash("sha256").update(other).digest());
}
