import { type Network, offline, respondWith, respondWithEnvelope } from "./browser.ts";

const html = { headers: { "content-type": "text/html" } };

/** Responses of a faulty network to a public call, and the problem that the page then reports. */
export const networkFaults: [name: string, network: Network, why: string][] = [
  ["no connection", offline, "offline"],
  ["a 500", respondWith(JSON.stringify({ code: 10500, msg: "", data: {} }), { status: 500 }), "server"],
  ["a 503", respondWith("", { status: 503 }), "server"],
  ["a 429", respondWith(JSON.stringify({ code: 10004, msg: "", data: {} }), { status: 429 }), "busy"],
  ["a page of HTML", respondWith("<!doctype html><title>Wi-Fi</title>", html), "unreadable"],
  ["broken JSON", respondWith('{"code":1,'), "unreadable"],
  ["data of another shape", respondWithEnvelope(1, { list: [{ goods_uid: 7 }], info: null }), "unreadable"],
  ["no data", respondWithEnvelope(1, null), "unreadable"],
  ["a refusal", respondWithEnvelope(10006, null, "not now"), "not now"],
];

/** Texts equal to the names of their problems. */
export const reasons = {
  offline: "offline",
  timeout: "timeout",
  busy: "busy",
  server: "server",
  unreadable: "unreadable",
};

/** Returns a network on which every call waits for `resume`. */
export function pauseNetwork(): { network: Network; resume: () => void } {
  let resume = () => {};
  const gate = new Promise<void>((resolve) => {
    resume = resolve;
  });
  return { network: (_, pass) => gate.then(pass), resume };
}
