import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "#server/config/config.ts";

/** Converts the id of a public key or the serial number of a certificate for comparison: tools print either case, and leading zeros or none. */
export const toKeyId = (id: string) => id.toUpperCase().replace(/^0+(?=.)/, "");

/** The merchant's own certificate, which signs requests and never what WeChat Pay sends. */
interface Merchant {
  serial: string;
  key: KeyObject;
}

/**
 * Reads the public keys and platform certificates that verify what WeChat Pay signs; `fileList` names their files in the order of `ids`, separated by commas.
 * Throws ConfigError for a file that cannot be read or has no RSA key, a certificate of another serial number than its id, the merchant's own certificate or
 * key, and an id without a file or with two.
 */
export function readPayKeys(ids: string[], fileList: string, merchant: Merchant): Map<string, KeyObject> {
  // With one id a comma belongs to the name of the file.
  const files = ids.length === 1 ? [fileList] : fileList.split(",").map((file) => file.trim());
  if (files.length !== ids.length || new Set(ids.map(toKeyId)).size < ids.length)
    throw new ConfigError(
      `WECHAT_PAY_KEY_FILE must name one file for each id in WECHAT_PAY_KEY_ID, in the same order: ${files.join(", ")} for ${ids.join(", ")}.`,
    );
  return new Map(ids.map((id, index) => [toKeyId(id), readPayKey(id, files[index] ?? "", merchant)]));
}

function readPayKey(id: string, file: string, merchant: Merchant): KeyObject {
  const { key, serial } = readPublicKey(id, file);
  const isMerchants =
    [id, serial ?? ""].some((other) => toKeyId(other) === toKeyId(merchant.serial)) || key.equals(merchant.key);
  if (isMerchants)
    throw new ConfigError(
      `WECHAT_PAY_KEY_FILE has the merchant's own certificate or key for ${id} (${file}): it must have WeChat Pay's public key or platform certificate.`,
    );
  if (serial !== null && toKeyId(serial) !== toKeyId(id))
    throw new ConfigError(`WECHAT_PAY_KEY_ID has ${id}, but the certificate in ${file} has the serial number ${serial}.`);
  return key;
}

/** Reads a public key, or that of a certificate with its serial number. */
function readPublicKey(id: string, file: string): { key: KeyObject; serial: string | null } {
  try {
    const pem = readFileSync(file);
    const certificate = pem.includes("CERTIFICATE-----") ? new X509Certificate(pem) : null;
    const key = certificate?.publicKey ?? createPublicKey(pem);
    if (key.asymmetricKeyType === "rsa") return { key, serial: certificate?.serialNumber ?? null };
  } catch {
    // The error's message does not help the operator.
  }
  throw new ConfigError(`WECHAT_PAY_KEY_FILE must name a readable PEM file with an RSA key for ${id} in WECHAT_PAY_KEY_ID.`);
}
