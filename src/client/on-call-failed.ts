import { state } from "#i18n/state.ts";
import { ApiError, type CallFailure, codes } from "#src/api/envelope.ts";
import { add } from "#src/features/notification/store.ts";
import { endSession } from "#src/features/session/store.ts";

/** Handles a failed call: 10001 ends the session, a call with `notify` shows a notification. Forms show the fields of 10002 themselves. */
export function onCallFailed({ failure, notify, isUserAction }: CallFailure): void {
  if (failure instanceof ApiError) {
    if (failure.code === codes.sessionInvalid) {
      endSession(isUserAction);
      return;
    }
    if (notify && failure.code !== codes.badParameter) add({ title: failure.envelope.msg, color: "error" });
  } else if (notify) {
    const texts = state[document.documentElement.lang === "en-US" ? "en-US" : "zh-CN"];
    add({ title: failure.msg || texts[failure.reason], color: "error" });
  }
}
