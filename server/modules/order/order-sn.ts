import { randomBase32 } from "../../lib/crypto.ts";

const chinaTime = 8 * 3600_000;

/** `M` for goods or `V` for a package, yyMMddHHmmss in China, and 8 characters that nobody guesses. */
export function newOrderSn(kind: "goods" | "package", at: Date): string {
  const time = new Date(at.getTime() + chinaTime).toISOString().replace(/\D/g, "").slice(2, 14);
  return `${kind === "goods" ? "M" : "V"}${time}${randomBase32(8)}`;
}
