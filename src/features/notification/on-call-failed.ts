import { codes } from "../../api/envelope.ts";
import type { CallFailure } from "../../api/errors.ts";
import { ApiError } from "../../api/errors.ts";
import { endSession } from "../session/store.ts";
import { add } from "./store.ts";

/** Texts for failures that came without words of the host. */
export type FailureTexts = Record<"offline" | "timeout" | "busy" | "server" | "unreadable", string>;

/** What the frame does with a failed call: 10001 ends the session, loud ones are shown. Fields of 10002 are shown by their form. */
export function listenForFailures({ failure, notify, acted }: CallFailure, texts: FailureTexts): void {
  if (failure instanceof ApiError) {
    if (failure.code === codes.sessionInvalid) {
      endSession(acted);
      return;
    }
    if (notify && failure.code !== codes.badParameter) add({ title: failure.envelope.msg, color: "error" });
  } else if (notify) {
    add({ title: failure.msg || texts[failure.reason], color: "error" });
  }
}
