import { type KeyObject, sign } from "node:crypto";

/** Encodes a value in DER (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const time = (text: string) => der(0x17, Buffer.from(text));
/** An integer is positive: a first bit of 1 needs a zero before it. */
const integer = (hex: string) => der(0x02, Buffer.from(/^[89a-f]/i.test(hex) ? `00${hex}` : hex, "hex"));
const sha256WithRsa = sequence(Buffer.from("06092a864886f70d01010b0500", "hex"));
const name = sequence(der(0x31, sequence(Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("Tenpay.com")))));

/** Creates a certificate (RFC 5280) with this serial number, in hex, that its own key has signed, as PEM. */
export function createCertificate(serial: string, { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }) {
  const version3 = der(0xa0, integer("02"));
  const validity = sequence(time("260101000000Z"), time("310101000000Z"));
  const subject = publicKey.export({ type: "spki", format: "der" });
  const content = sequence(version3, integer(serial), sha256WithRsa, name, validity, name, subject);
  const certificate = sequence(content, sha256WithRsa, bits(sign("sha256", content, privateKey)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
