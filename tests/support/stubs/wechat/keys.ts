import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createCertificate } from "./certificate.ts";

/** The ids of the keys of a merchant number. A platform certificate lasts five years; for some days the next one is used beside it. */
export const ids = {
  publicKey: "PUB_KEY_ID_0119000000012026",
  certificate: "3F2A90B1C4D5E6F708192A3B4C5D6E7F80912A3B",
  nextCertificate: "0C77E1D2B3A4958677F0E1D2C3B4A5968778695A",
  merchant: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
};
type Name = keyof typeof ids;

/** Chooses the id of the key that signs. `named` is the one that a request names. */
export interface Signing {
  response(named: string | undefined): string;
  notice(): string;
}

const createPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject, type: "spki" | "pkcs8") => String(key.export({ type, format: "pem" }));

/** Creates the keys of a merchant number at WeChat Pay and writes their files; `file` writes one and returns its path. */
export function createPayKeys(file: (name: string, text: string) => string) {
  const pairs = { publicKey: createPair(), certificate: createPair(), nextCertificate: createPair(), merchant: createPair() };
  const stranger = createPair();
  const certificate = (name: Name) => ({ id: ids[name], file: file(`${name}.pem`, createCertificate(ids[name], pairs[name])) });
  const payKeys = {
    publicKey: { id: ids.publicKey, file: file("pub_key.pem", pem(pairs.publicKey.publicKey, "spki")) },
    certificate: certificate("certificate"),
    nextCertificate: certificate("nextCertificate"),
    merchant: certificate("merchant"),
  };
  const names: Name[] = ["publicKey", "certificate", "nextCertificate"];
  return {
    payKeys,
    merchant: pairs.merchant,
    merchantKeyFile: file("apiclient_key.pem", pem(pairs.merchant.privateKey, "pkcs8")),
    signing: signAlwaysBy(ids.publicKey),
    /** Returns the variables for some of the keys, the newest first. */
    withKeys: (...listed: Name[]) => ({
      WECHAT_PAY_KEY_ID: listed.map((name) => payKeys[name].id).join(","),
      WECHAT_PAY_KEY_FILE: listed.map((name) => payKeys[name].file).join(","),
    }),
    /** Returns the private key of an id; that of a stranger for `null`. */
    getPrivateKey(id: string | null): KeyObject {
      const name = names.find((one) => ids[one] === id);
      return (name ? pairs[name] : stranger).privateKey;
    },
  };
}

/** Returns a function that returns `to` for this share of its calls, beginning with the first, and `from` for the others. */
function alternate(from: string, to: string, share: number): () => string {
  let due = share > 0 ? 1 : 0;
  return () => {
    const isNext = due >= 1;
    due += share - (isNext ? 1 : 0);
    return isNext ? to : from;
  };
}

/**
 * WeChat Pay's change from a platform certificate to the merchant's public key, over about seven days: a response has the signature of the key that the request
 * names, and of the certificate where it names none; notices shift by themselves (pay.weixin.qq.com/doc/v3/merchant/4012154180).
 */
export function changeToPublicKey(certificate: string, publicKey: string, noticeShare: number): Signing {
  return {
    response: (named) => (named === publicKey ? publicKey : certificate),
    notice: alternate(certificate, publicKey, noticeShare),
  };
}

/**
 * One key signs everything, whatever requests name: the public key of a merchant number that never had a certificate, or the certificate before that change is
 * started in the merchant platform and as soon as it is stopped there.
 */
export function signAlwaysBy(id: string): Signing {
  return { response: () => id, notice: () => id };
}

/**
 * The renewal of a platform certificate: in the last days of the former one the next one signs a growing share of responses and notices, whatever requests
 * name (pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay5_0.shtml).
 */
export function renewCertificate(former: string, next: string, share: number): Signing {
  return { response: alternate(former, next, share), notice: alternate(former, next, share) };
}
