import { randomBase32 } from "../../lib/crypto.ts";

const chinaTime = 8 * 3600_000;

/** Returns `M` for goods or `V` for a package, yyMMddHHmmss in China, and 8 random characters. */
export function createOrderSn(kind: "goods" | "package", at: Date): string {
  const time = new Date(at.getTime() + chinaTime).toISOString().replace(/\D/g, "").slice(2, 14);
  return `${kind === "goods" ? "M" : "V"}${time}${randomBase32(8)}`;
}
