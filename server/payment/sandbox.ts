import { crc32, deflateSync } from "node:zlib";
import { and, eq } from "drizzle-orm";
import { encode } from "uqr";
import type { Database } from "../db/database.ts";
import { orders } from "../db/schema/order.ts";
import { payCodes } from "../db/schema/payment.ts";
import { isToken, randomToken } from "../lib/crypto.ts";
import type { PaymentProvider } from "../lib/payment-provider.ts";

/** Pixels per module: sharp on a phone screen and in its photo album. */
const scale = 12;

/** Returns a QR code as the data URL of a PNG, which phones can save and recognise: black on white in any colour mode, with the quiet zone that scanners need. */
function qrImage(text: string): string {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const side = size * scale;
  const rows = data.flatMap((row) => Array<Buffer>(scale).fill(pixelRow(row, side)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit of grey per pixel.
  header.writeUInt8(1, 8);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND")];
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** Converts a row of modules to a row of pixels, eight per byte, after the filter byte 0 (none). */
function pixelRow(modules: boolean[], side: number): Buffer {
  const bit = (x: number) => (modules[Math.floor(x / scale)] ? 0 : 0x80 >> (x % 8));
  const bytes = Array.from({ length: Math.ceil(side / 8) }, (_, index) => {
    return [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, offset) => byte | bit(index * 8 + offset), 0);
  });
  return Buffer.from([0, ...bytes]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Creates a provider for demos: the code links to the server's own cashier page, where a button pays the order. No money moves. */
export function createSandbox(db: Database, now: () => Date): PaymentProvider {
  return {
    name: "sandbox",
    mode: "sandbox",
    async getCode({ orderSn, payExpireAt }, origin, locale) {
      await db
        .insert(payCodes)
        .values({ orderSn, mode: "sandbox", cashier: randomToken(), createdAt: now(), expiresAt: payExpireAt })
        .onConflictDoNothing();
      const [row] = await db.select({ cashier: payCodes.cashier }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
      if (!row?.cashier) throw new Error("an order's pay code has no cashier page");
      const link = `${origin}/cashier/${row.cashier}?lang=${locale}`;
      return { image: qrImage(link), link };
    },
  };
}

/** Finds the order of a cashier page; null for a token that was never issued. */
export async function findOrderByCashier(db: Database, cashier: string) {
  if (!isToken(cashier)) return null;
  const [row] = await db
    .select({ order: orders })
    .from(payCodes)
    .innerJoin(orders, eq(orders.orderSn, payCodes.orderSn))
    .where(and(eq(payCodes.cashier, cashier), eq(payCodes.mode, "sandbox")));
  return row?.order ?? null;
}
