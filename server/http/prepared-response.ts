import type { Locale } from "../../i18n/locale.ts";
import { codes } from "../../src/api/envelope.ts";
import { getMessage } from "./message.ts";

/** Serializes a success envelope around `data`. */
export function serializeSuccess(data: unknown, locale: Locale): string {
  return `{"code":${codes.success},"msg":${JSON.stringify(getMessage(codes.success, locale, null))},"data":${JSON.stringify(data)}}`;
}

/** A success response that is serialized once, envelope included, because it is the same for many requests. */
export class PreparedResponse {
  readonly body: Uint8Array<ArrayBuffer>;

  constructor(data: unknown, locale: Locale) {
    this.body = new TextEncoder().encode(serializeSuccess(data, locale));
  }
}
