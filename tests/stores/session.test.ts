import { beforeEach, describe, expect, it, vi } from "vitest";
import { getLocale, prefixes, withPrefix } from "#i18n/locale.ts";
import { state } from "#i18n/state.ts";
import { contract } from "#src/api/contract.ts";
import {
  networkFaults,
  offline,
  openPage,
  type Page,
  pauseNetwork,
  reasons,
  respondWithEnvelope,
  until,
} from "#tests/support/client/browser.ts";
import { client } from "#tests/support/client/client.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

async function open(path: string, stored: Record<string, string> = {}) {
  const page = openPage(path, server, stored);
  const store = await import("#src/features/session/store.ts");
  const onEnd = vi.fn();
  return { page, store, onEnd, startSession: () => store.startSession(onEnd) };
}

async function member() {
  const token = await server.logIn(newMobile());
  return { TOKEN: token };
}

/** Writes what a log-out in another tab writes. */
function logOutElsewhere(page: Page): void {
  page.writeFromOtherTab("LOGGED_OUT", "1");
  page.writeFromOtherTab("LOGGED_OUT", null);
  page.writeFromOtherTab("TOKEN", "");
  page.writeFromOtherTab("TOKEN", null);
}

describe("the session", () => {
  it("turns a visitor into a member after the login, and stores user and token", async () => {
    const { page, store } = await open("/en-US/user/login");
    const { logIn, requestCode } = await import("#src/features/session/login.ts");
    expect(store.$session.get()).toEqual({ state: "visitor" });
    await requestCode("demo");
    await server.waitForDelivery();
    await logIn("demo", server.sentMessages[0]?.code ?? "");
    expect(store.$session.get()).toMatchObject({ state: "member", user: { account: "demo" } });
    expect(page.storage.get("TOKEN")).toMatch(/^[\w-]{43}$/);
    expect(JSON.parse(page.storage.get("USER_INFO") ?? "")).toMatchObject({ account: "demo" });
    expect(page.requests.at(-1)?.headers.get("device-type")).toBe("web");
    expect(page.requests.at(-1)?.headers.get("token")).toBe("");
    expect(page.requests.at(-1)?.headers.get("accept-language")).toBe("en-US");
  });

  it.each(["", "{", "null", "[]", '"x"', '{"id":""}', '{"id":7}', '{"nickname":"x"}'])(
    "is loading when the stored user is %j",
    async (USER_INFO) => {
      const { store } = await open("/", { USER_INFO, TOKEN: "something-stored" });
      expect(store.$session.get()).toEqual({ state: "loading" });
    },
  );

  it("fetches the user at start with the stored token", async () => {
    const stored = await member();
    const { page, store, startSession } = await open("/", stored);
    startSession();
    await until(() => expect(store.$session.get().state).toBe("member"));
    expect(page.calls()).toEqual(["user/info", "marsx/userToken"]);
    expect(page.requests[0]?.headers.get("token")).toBe(stored.TOKEN);
  });

  it("sends no request at start without a token", async () => {
    const { page, startSession } = await open("/");
    startSession();
    expect(page.calls()).toEqual([]);
  });

  it.each(["a rejected token", "another error code"])("logs out on a public page without a redirect after %s", async (why) => {
    const stored = { ...(await member()), USER_TOKEN: "u", CHAT_TOKEN: "c", COLOR_MODE: "dark" };
    if (why === "a rejected token") stored.TOKEN = "unknown-token-of-somebody";
    const { page, store, onEnd, startSession } = await open("/en-US/news", stored);
    if (why === "another error code") page.network = respondWithEnvelope(10003);
    startSession();
    await until(() => expect(store.$session.get().state).toBe("visitor"));
    expect([...page.storage.keys()]).toEqual(["COLOR_MODE"]);
    expect(page.navigations).toEqual([]);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  // A refusal ends the session.
  it.each(networkFaults.filter(([name]) => name !== "a refusal"))(
    "keeps the token after %s, shows that it is offline, and retries when the browser is online again",
    async (_, line) => {
      const stored = await member();
      const { page, store, startSession } = await open("/user/info", stored);
      page.network = line;
      startSession();
      await until(() => expect(store.$offline.get()).toBe(true));
      expect(page.storage.get("TOKEN")).toBe(stored.TOKEN);
      expect(page.navigations).toEqual([]);
      page.network = (_request, pass) => pass();
      dispatchEvent(new Event("online"));
      await until(() => expect(store.$session.get().state).toBe("member"));
      expect(store.$offline.get()).toBe(false);
    },
  );

  it("ends the session at the server when it logs out, and neither waits for it nor shows how it went", async () => {
    const stored = await member();
    const { page, store } = await open("/user/info", stored);
    const failed = vi.fn();
    addEventListener("api:failed", failed);
    const line = pauseNetwork();
    page.network = line.network;
    store.logOut();
    expect([page.storage.has("TOKEN"), page.navigations]).toEqual([false, [{ how: "replace", url: "/user/login" }]]);
    line.resume();
    const { contract } = await import("#src/api/contract.ts");
    await vi.waitFor(async () => expect(await client(server, { token: stored.TOKEN }).error(contract.userInfo)).toBe(10001));
    expect(page.requests.map(({ path, headers }) => [path, headers.get("token")])).toEqual([
      [contract.logout.path, stored.TOKEN],
    ]);
    expect(failed).not.toHaveBeenCalled();
  });

  it("logs out offline, clears all storage and leads to login without a redirect back", async () => {
    const { page, store, startSession } = await open("/en-US/user/info", { ...(await member()), COLOR_MODE: "light" });
    startSession();
    await until(() => expect(store.$session.get().state).toBe("member"));
    page.network = offline;
    store.logOut();
    expect([...page.storage.keys()]).toEqual(["COLOR_MODE"]);
    expect(store.$session.get()).toEqual({ state: "visitor" });
    expect(page.navigations).toEqual([{ how: "replace", url: "/en-US/user/login" }]);
  });

  it("becomes a visitor without a redirect on a public page when another tab logs out", async () => {
    const { page, store, onEnd, startSession } = await open("/mall", await member());
    startSession();
    await until(() => expect(page.storage.get("USER_TOKEN")).toBeTruthy());
    logOutElsewhere(page);
    expect(store.$session.get()).toEqual({ state: "visitor" });
    expect([...page.storage.keys()]).toEqual([]);
    expect(page.navigations).toEqual([]);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it("leads a member's page to login when another tab logs out, and back only when the session has expired there", async () => {
    for (const [end, url] of [
      [logOutElsewhere, "/en-US/user/login"],
      [(page: Page) => page.writeFromOtherTab("TOKEN", ""), "/en-US/user/login?redirect=%2Fuser%2Forder%2Flist"],
    ] as const) {
      const { page, store, startSession } = await open("/en-US/user/order/list", await member());
      startSession();
      await until(() => expect(store.$session.get().state).toBe("member"));
      end(page);
      expect(page.navigations).toEqual([{ how: "replace", url }]);
    }
  });

  it("ignores a late response to the token of an earlier session", async () => {
    const stored = await member();
    const { page, store, startSession } = await open("/", stored);
    let respond: (response: Response) => void = () => {};
    page.network = () => new Promise((resolve) => (respond = resolve));
    startSession();
    const next = await server.logIn(newMobile());
    page.writeFromOtherTab("TOKEN", next);
    respond(Response.json({ code: 10001, msg: "over", data: null }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(page.storage.get("TOKEN")).toBe(next);
    expect(store.$session.get().state).not.toBe("visitor");
  });
});

describe("the nickname", () => {
  const texts = { ...reasons, needsLoginTitle: "needsLogin" };

  async function openForm() {
    const opened = await open("/user/info", await member());
    const form = await import("#src/features/session/nickname-form.ts");
    opened.startSession();
    await until(() => expect(opened.store.$session.get().state).toBe("member"));
    form.nicknameDraft.save({ open: true, nickname: "小满" });
    return { ...opened, ...form, getName: () => Object(opened.store.$session.get()).user?.nickname };
  }

  it("changes what is stored, the header's initial, and other tabs", async () => {
    const { page, store, getName, nicknameDraft, nicknameFormStore } = await openForm();
    const { $form, submit } = nicknameFormStore(texts);
    await submit("小满");
    expect([getName(), page.styles.get("--me"), $form.get(), nicknameDraft.$values.get()]).toEqual([
      "小满",
      '"小"',
      { busy: false, errors: {} },
      {},
    ]);
    const stored = JSON.parse(page.storage.get("USER_INFO") ?? "");
    expect(stored.nickname).toBe("小满");
    page.writeFromOtherTab("USER_INFO", JSON.stringify({ ...stored, nickname: "Anna" }));
    expect([Object(store.$session.get()).user.nickname, page.styles.get("--me")]).toEqual(["Anna", '"A"']);
  });

  it("is kept as typed when the server refuses it or does not respond", async () => {
    const { page, getName, nicknameDraft, nicknameFormStore } = await openForm();
    const before = getName();
    const { $form, submit } = nicknameFormStore(texts);
    await submit("x");
    expect($form.get()).toEqual({ busy: false, errors: { nickname: "太短了" } });
    for (const [, network, why] of networkFaults) {
      page.network = network;
      await submit("小满");
      expect($form.get()).toEqual({ busy: false, errors: { form: why } });
    }
    expect([getName(), nicknameDraft.$values.get()]).toEqual([before, { open: true, nickname: "小满" }]);
  });

  it("is not replaced by the response to a check that was sent before it changed", async () => {
    const { page, store, getName, nicknameFormStore } = await openForm();
    const line = pauseNetwork();
    const before = await client(server, { token: page.storage.get("TOKEN") ?? "" }).send(contract.userInfo);
    page.network = (request) => line.network(request, async () => Response.json(JSON.parse(before.text)));
    const check = store.checkSession();
    await until(() => expect(page.calls().filter((name) => name === "user/info")).toHaveLength(2));
    page.network = (_, pass) => pass();
    await nicknameFormStore(texts).submit("小满");
    line.resume();
    await check;
    expect(getName()).toBe("小满");
  });
});

describe("a failed call", () => {
  async function showFailures(path: string) {
    const opened = await open(path, await member());
    const { onCallFailed } = await import("#src/client/on-call-failed.ts");
    const { $notifications } = await import("#src/features/notification/store.ts");
    const { send } = await import("#src/api/client.ts");
    const { userInfo } = await import("#src/api/session.ts");
    const { sendCode } = await import("#src/api/login.ts");
    addEventListener("api:failed", (event) => onCallFailed((event as CustomEvent).detail));
    return { ...opened, $notifications, send, sendCode, userInfo };
  }

  it("shows msg as a notification title and rejects with the envelope after a visitor's action", async () => {
    const { page, send, sendCode, $notifications } = await showFailures("/");
    page.network = respondWithEnvelope(30001, null, "sold out");
    await expect(send(sendCode, { username: "demo" })).rejects.toMatchObject({ envelope: { code: 30001, msg: "sold out" } });
    await expect(send(sendCode, { username: "demo" })).rejects.toMatchObject({ code: 30001 });
    // Equal ones coalesce.
    expect($notifications.get().map(({ title }) => title)).toEqual(["sold out"]);
  });

  it("shows no notification for 10002 and for calls that handle their errors themselves", async () => {
    const { page, send, sendCode, userInfo, $notifications } = await showFailures("/");
    page.network = respondWithEnvelope(10002, { fields: { username: "?" } });
    await expect(send(sendCode, { username: "demo" })).rejects.toMatchObject({ code: 10002 });
    page.network = respondWithEnvelope(10003);
    await expect(send(userInfo)).rejects.toMatchObject({ code: 10003 });
    expect($notifications.get()).toEqual([]);
  });

  it.each(prefixes)("shows a message in the language of a page under '%s' when the server does not respond", async (prefix) => {
    const { page, send, sendCode, $notifications } = await showFailures(withPrefix(prefix, "/"));
    page.network = offline;
    await expect(send(sendCode, { username: "demo" })).rejects.toMatchObject({ reason: "offline" });
    expect($notifications.get()).toMatchObject([{ title: state[getLocale(prefix)].offline, color: "error", timeout: 5000 }]);
  });

  it("does not end the session that has begun since the call was sent with an older token", async () => {
    const { page, store, send, userInfo } = await showFailures("/user/info");
    let respond: (response: Response) => void = () => {};
    page.network = () => new Promise((resolve) => (respond = resolve));
    const call = send(userInfo);
    await until(() => expect(page.calls()).toEqual(["user/info"]));
    const next = await server.logIn(newMobile());
    page.writeFromOtherTab("TOKEN", next);
    respond(Response.json({ code: 10001, msg: "over", data: null }));
    await expect(call).rejects.toMatchObject({ code: 10001 });
    expect([page.storage.get("TOKEN"), page.navigations]).toEqual([next, []]);
    expect(store.$session.get().state).not.toBe("visitor");
  });

  it("redirects a public page to login and back when the session is over", async () => {
    const { page, send, sendCode } = await showFailures("/mall?tag=x");
    page.network = respondWithEnvelope(10001);
    await expect(send(sendCode, { username: "demo" })).rejects.toMatchObject({ code: 10001 });
    await until(() => expect(page.navigations).toEqual([{ how: "replace", url: "/user/login?redirect=%2Fmall%3Ftag%3Dx" }]));
    expect(page.storage.has("TOKEN")).toBe(false);
  });
});
