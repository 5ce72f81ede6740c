/** A login code on its way to a mobile number. */
export interface Message {
  to: string;
  code: string;
}

/** Delivers login codes. Rejects when it could not; its errors must not repeat number or code. */
export interface Sender {
  send(message: Message): Promise<void>;
}
