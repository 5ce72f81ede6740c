import { answering, envelope, type Line, offline } from "./browser.ts";

const html = { headers: { "content-type": "text/html" } };

/** What may come instead of a public call's answer, and why the page then says that it knows no more. */
export const faults: [name: string, line: Line, why: string][] = [
  ["no connection", offline, "offline"],
  ["a 500", answering(JSON.stringify({ code: 10500, msg: "", data: {} }), { status: 500 }), "server"],
  ["a 503", answering("", { status: 503 }), "server"],
  ["a 429", answering(JSON.stringify({ code: 10004, msg: "", data: {} }), { status: 429 }), "busy"],
  ["a page of HTML", answering("<!doctype html><title>Wi-Fi</title>", html), "unreadable"],
  ["broken JSON", answering('{"code":1,'), "unreadable"],
  ["data of another shape", envelope(1, { list: [{ goods_uid: 7 }], info: null }), "unreadable"],
  ["no data", envelope(1, null), "unreadable"],
  ["a refusal", envelope(10006, null, "not now"), "not now"],
];

/** Texts that are the names of their reasons. */
export const reasons = {
  offline: "offline",
  timeout: "timeout",
  busy: "busy",
  server: "server",
  unreadable: "unreadable",
};

/** A line on which every call waits until `go` is called. */
export function held(): { line: Line; go: () => void } {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { line: (_, pass) => gate.then(pass), go };
}
