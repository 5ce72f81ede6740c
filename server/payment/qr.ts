import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";

/** Pixels per module: sharp on a phone screen and in its photo album. */
const scale = 12;

/** Returns a QR code as the data URL of a PNG, which phones can save and recognise: black on white in any colour mode, with the quiet zone that scanners need. */
export function qrImage(text: string): string {
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
