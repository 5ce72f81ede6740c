import type { Message, Sender } from "../context.ts";

export interface MessageQueue {
  /** Returns at once, so that the response time does not reveal whether a message is sent. */
  send(message: Message): void;
  /** Resolves when no message is in flight. */
  waitUntilIdle(): Promise<void>;
}

/** Creates a queue that sends messages in the background and logs failures. */
export function createMessageQueue(sender: Sender): MessageQueue {
  const inFlight = new Set<Promise<void>>();
  return {
    send(message) {
      const sending = new Promise((resolve) => setImmediate(resolve))
        .then(() => sender.send(message))
        .catch((error: unknown) => console.error(`A login code could not be sent: ${getReason(error)}`))
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    async waitUntilIdle() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

/** Returns the error's message without long numbers: mobile numbers and codes must not be logged. */
function getReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\d{4,}/g, "…") : "no reason given";
}
