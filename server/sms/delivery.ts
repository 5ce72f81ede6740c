import type { Message, Sender } from "../lib/sms-sender.ts";

export interface Delivery {
  /** Returns at once: whether a message is sent at all must not show in the time of an answer. */
  deliver(message: Message): void;
  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void>;
}

export function createDelivery(sender: Sender): Delivery {
  const underWay = new Set<Promise<void>>();
  return {
    deliver(message) {
      const sent = new Promise((resolve) => setImmediate(resolve))
        .then(() => sender.send(message))
        .catch((error: unknown) => console.error(`A login code could not be sent: ${reason(error)}`))
        .finally(() => underWay.delete(sent));
      underWay.add(sent);
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Numbers and codes do not belong into a log, whatever a sender puts into its errors. */
function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\d{4,}/g, "…") : "no reason given";
}
