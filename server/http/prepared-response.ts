import type { Locale } from "../../i18n/locale.ts";
import { codes } from "../../src/api/envelope.ts";
import { getMessage } from "./message.ts";

/** The envelope around what was asked for. */
export function successEnvelope(data: unknown, locale: Locale): string {
  return `{"code":${codes.success},"msg":${JSON.stringify(getMessage(codes.success, locale, null))},"data":${JSON.stringify(data)}}`;
}

/** An answer that has become bytes already, envelope and all, because it is the same for many. */
export class PreparedResponse {
  readonly body: Uint8Array<ArrayBuffer>;

  constructor(data: unknown, locale: Locale) {
    this.body = new TextEncoder().encode(successEnvelope(data, locale));
  }
}
