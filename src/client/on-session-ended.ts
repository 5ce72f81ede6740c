import { sessionEnd } from "#i18n/state.ts";
import { add } from "#src/features/notification/store.ts";

/** Tells in one line, which disappears by itself, that the server has ended the session of this page. */
export function onSessionEnded(): void {
  add({ title: sessionEnd[document.documentElement.lang === "en-US" ? "en-US" : "zh-CN"].title, icon: "info", color: "info" });
}
