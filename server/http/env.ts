import type { Locale } from "../../i18n/locale.ts";

/** The request of Node's server. */
export interface Bindings {
  incoming: { socket: { remoteAddress?: string | undefined } };
}

/** Hono's environment. `headers` are sent with every response; `code` is the envelope's. */
export interface Env {
  Bindings: Bindings;
  Variables: { requestId: string; headers: Record<string, string>; code?: number; locale?: Locale };
}
