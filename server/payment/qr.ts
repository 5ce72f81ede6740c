import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";

/** Pixels of a module: sharp on a phone, and in an album. */
const scale = 12;

/** A QR code as the data URL of a PNG, which phones recognise and keep in an album: black on white whatever lies behind, with the quiet zone that scanners need. */
export function qrImage(text: string): string {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const side = size * scale;
  const rows = data.flatMap((row) => Array<Buffer>(scale).fill(rowOf(row, side)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit of grey a pixel.
  header.writeUInt8(1, 8);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND")];
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** A row of modules as a row of pixels, eight in a byte, after a byte that says that it is not filtered. */
function rowOf(modules: boolean[], side: number): Buffer {
  const bit = (x: number) => (modules[Math.floor(x / scale)] ? 0 : 0x80 >> (x % 8));
  const bytes = Array.from({ length: Math.ceil(side / 8) }, (_, at) => {
    return [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, place) => byte | bit(at * 8 + place), 0);
  });
  return Buffer.from([0, ...bytes]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
