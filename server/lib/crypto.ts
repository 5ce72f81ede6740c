import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** Returns 256 random bits as text that fits headers and URLs. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Crockford's base 32: without letters that look like another letter or a digit. */
const base32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns random characters for people to read and type; each holds five bits. */
export function randomBase32(length: number): string {
  return Array.from({ length }, () => base32.charAt(randomInt(base32.length))).join("");
}

/** Returns whether a text has the format of `randomToken`; any other text needs no database query. */
export const isToken = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text);

export function sha256(text: string): string {
  return hash("sha256", text);
}

/** Returns an HMAC-SHA-256 over unambiguously separated parts. A digest is valid for one `purpose` alone. */
export function hmac(key: Buffer, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}

/** Compares two texts in constant time. */
export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}
