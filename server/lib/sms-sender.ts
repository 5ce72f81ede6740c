/** A login code for a mobile number. */
export interface Message {
  to: string;
  code: string;
}

/** Delivers login codes. Rejects when delivery fails; its errors must contain neither number nor code. */
export interface Sender {
  send(message: Message): Promise<void>;
}
