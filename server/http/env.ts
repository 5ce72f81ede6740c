import type { Locale } from "../../i18n/locale.ts";

/** Node's bindings; absent where the app is called in memory. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string | undefined } };
}

/** Hono's environment. `headers` are sent with every response; `code` is the envelope's. */
export interface Env {
  Bindings: Bindings;
  Variables: { requestId: string; headers: Record<string, string>; code?: number; locale?: Locale };
}
