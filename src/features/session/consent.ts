import { persistentAtom } from "@nanostores/persistent";
import "../../api/storage.ts";

/** The day of the terms that were accepted on this device; "" before. Terms that change are accepted anew. */
export const $consent = persistentAtom<string>("LOGIN_CONSENT", "");
