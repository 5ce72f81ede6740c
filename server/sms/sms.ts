import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Message, OnResult, Sender } from "#server/context.ts";
import { getSqlState } from "#server/db/database.ts";
import { DeliveryError, getReason } from "#server/lib/errors.ts";

export interface MessageQueue {
  /** Returns at once, so that the response time does not reveal whether a message is sent. */
  send(message: Message, onResult: OnResult): void;
  /** Resolves when no message is in flight. */
  waitUntilIdle(): Promise<void>;
}

/** Creates a queue that sends messages in the background, logs failures and reports what became of each to `onResult`. */
export function createMessageQueue(sender: Sender): MessageQueue {
  const inFlight = new Set<Promise<void>>();
  return {
    send(message, onResult) {
      const sending = new Promise((resolve) => setImmediate(resolve))
        .then(() => deliver(sender, message))
        .then(onResult)
        // Messages of the database repeat values: mobile numbers, for one.
        .catch((error: unknown) => console.error(`What became of a login code could not be stored (${getSqlState(error)})`))
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    async waitUntilIdle() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

/** Sends a message. Logs why it could not be sent, and returns it; null when the service has accepted it. */
async function deliver(sender: Sender, message: Message): Promise<DeliveryError | null> {
  try {
    await sender.send(message);
    return null;
  } catch (error) {
    const reason = withoutNumbers(getReason(error));
    console.error(`A login code could not be sent: ${reason}`);
    return error instanceof DeliveryError ? error : new DeliveryError(reason, "no code", false);
  }
}

/** Returns one short line without mobile numbers and codes, which must not be logged. */
export const withoutNumbers = (text: string) =>
  text
    .slice(0, 300)
    .replace(/\p{Nd}{4,}/gu, "…")
    .replace(/\p{C}+/gu, " ");

/** Creates a sender that prints codes and appends each as a line of JSON to `outbox.jsonl` in the folder, for demos and tests. */
export function createConsoleSender(folder: string, print: (line: string) => void): Sender {
  return {
    async send({ to, code }) {
      print(`Login code for ${to}: ${code}`);
      const line = JSON.stringify({ to, code, at: new Date().toISOString() });
      await appendFile(join(folder, "outbox.jsonl"), `${line}\n`, { mode: 0o600 });
    },
  };
}
