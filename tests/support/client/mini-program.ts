import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Window } from "happy-dom";
import { onTestFinished } from "vitest";

const require = createRequire(import.meta.url);

/** A node of miniprogram-simulate, whose own types are global and would replace those of Node. */
interface Node {
  dom: { textContent: string; innerHTML: string };
  querySelectorAll(selector: string): Node[];
  dispatchEvent(event: string): void;
  toJSON(): { attrs: { name: string; value: unknown }[] };
}
interface Page extends Node {
  instance: Record<"onLoad" | "onShow" | "onHide" | "onUnload", (query?: Record<string, string>) => void>;
  attach(parent: unknown): void;
  detach(): void;
}
interface Simulate {
  load(path: string, options: { rootPath: string; compiler: "simulate" }): string;
  render(id: string): Page;
}

/** What WeChat and the payer do. */
export interface Phone {
  /** The server. A rejection is a phone without a network. */
  fetch(request: Request): Response | Promise<Response>;
  /** WeChat's language, `zh_CN` by default. */
  language?: string;
  /** `android` by default. */
  platform?: string;
  /** Returns a login code, null when WeChat gives none. */
  login?(): string | null;
  /** Returns how WeChat's sheet ends: `ok`, `fail cancel` or another `fail …`. */
  pay?(parameters: Record<string, string>): string | Promise<string>;
}

export interface MiniProgramPage {
  /** The text of an element by its class, "" without one. */
  read(name: string): string;
  /** The labels of the buttons that can be tapped. */
  buttons(): string[];
  /** Taps the button with this label. */
  tap(label: string): void;
  /** The title of the bar above. */
  title(): string;
  hasExited(): boolean;
  /** The markup. */
  html(): string;
  hide(): void;
  show(): void;
  /** Leaves the page. */
  close(): void;
}

interface Callbacks {
  success?(result: object): void;
  fail?(result: { errMsg: string }): void;
}
interface RequestOptions extends Callbacks {
  url: string;
  method: string;
  data: object;
  header: Record<string, string>;
}

/** Posts as `wx.request` does: every response is a success, and its body is parsed where it is JSON. */
async function request(phone: Phone, { url, method, data, header, success, fail }: RequestOptions): Promise<void> {
  try {
    const response = await phone.fetch(new Request(url, { method, headers: header, body: JSON.stringify(data) }));
    const text = await response.text();
    success?.({ statusCode: response.status, data: parse(text) });
  } catch {
    fail?.({ errMsg: "request:fail " });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Gives miniprogram-simulate a document until the test ends; the pages of a test share it. */
function provideDocument(): void {
  if ("document" in globalThis) return;
  const window = new Window();
  const { document, Event, CustomEvent } = window;
  const before = { Event: globalThis.Event, CustomEvent: globalThis.CustomEvent };
  Object.assign(globalThis, { window, document, Event, CustomEvent });
  onTestFinished(() => {
    for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
    Object.assign(globalThis, before);
  });
}

/** The `wx` of each page: several phones may be open in a test. */
const phones: object[] = [];

/** Copies a mini program, with the `wx` of one phone in the place of the global one. */
function install(folder: string, wx: object): string {
  const copy = mkdtempSync(join(tmpdir(), "phone-"));
  cpSync(folder, copy, { recursive: true });
  Object.assign(globalThis, { phones });
  const file = join(copy, "pages/pay/pay.js");
  writeFileSync(file, `const wx = globalThis.phones[${phones.push(wx) - 1}];\n${readFileSync(file, "utf8")}`);
  onTestFinished(() => rmSync(copy, { recursive: true }));
  return copy;
}

/** Opens the page of a mini program that `npm run mini-program` has written into a folder, as WeChat opens it with a query. */
export function openMiniProgram(folder: string, query: Record<string, string>, phone: Phone): MiniProgramPage {
  let title = "";
  let hasExited = false;
  const wx = {
    getAppBaseInfo: () => ({ language: phone.language ?? "zh_CN" }),
    getDeviceInfo: () => ({ platform: phone.platform ?? "android" }),
    request: (options: RequestOptions) => void request(phone, options),
    login({ success, fail }: Callbacks) {
      const code = phone.login ? phone.login() : "code";
      if (code === null) fail?.({ errMsg: "login:fail" });
      else success?.({ code });
    },
    async requestPayment({ success, fail, ...parameters }: Callbacks & Record<string, string>) {
      const end = await phone.pay?.(parameters);
      if (end === "ok") success?.({ errMsg: "requestPayment:ok" });
      else fail?.({ errMsg: `requestPayment:${end}` });
    },
    setNavigationBarTitle: (options: { title: string }) => (title = options.title),
    exitMiniProgram: () => (hasExited = true),
  };
  provideDocument();
  const simulate: Simulate = require("miniprogram-simulate");
  const rootPath = install(folder, wx);
  const id = simulate.load(join(rootPath, "pages/pay/pay"), { rootPath, compiler: "simulate" });
  const page = simulate.render(id);
  page.attach(document.body);
  page.instance.onLoad(query);
  page.instance.onShow();
  const close = () => {
    page.instance.onUnload();
    page.detach();
  };
  onTestFinished(close);
  const findButtons = () =>
    page
      .querySelectorAll(".button")
      .filter((node) => !node.toJSON().attrs.some(({ name, value }) => name === "disabled" && value));
  return {
    read: (name) => page.querySelectorAll(`.${name}`)[0]?.dom.textContent.trim() ?? "",
    buttons: () => findButtons().map(({ dom }) => dom.textContent.trim()),
    tap(label) {
      const button = findButtons().find(({ dom }) => dom.textContent.trim() === label);
      if (!button) throw new Error(`There is no button ${label} among: ${findButtons().map(({ dom }) => dom.textContent)}`);
      button.dispatchEvent("tap");
    },
    title: () => title,
    hasExited: () => hasExited,
    html: () => page.dom.innerHTML,
    hide: () => page.instance.onHide(),
    show: () => page.instance.onShow(),
    close,
  };
}
