import * as v from "valibot";
import { beforeEach, describe, expect, it } from "vitest";
import { splitPrefix } from "#i18n/locale.ts";
import { openPage } from "#tests/support/client/browser.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;

const shape = v.partial(v.object({ name: v.string(), party: v.number() }));

/** Opens a page with a form in the tab with the storage `tab`, or in a new tab. */
async function openForm(path: string, tab?: Storage) {
  const page = openPage(path, server);
  if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
  const lib = await import("#src/lib/draft.ts");
  const session = await import("#src/features/session/store.ts");
  return { page, form: lib.draft("form", shape, splitPrefix), ...session, tab: sessionStorage };
}

const member = (id: string) => ({
  id,
  nickname: "x",
  avatar: null,
  mobile_masked: "138****8000",
  account: null,
  activated: true,
  membership: null,
  created_at: "2026-01-01T00:00:00Z",
});

describe("a form draft", () => {
  beforeEach(async () => {
    server = await createTestServer("PGlite");
  });

  it("is restored after a reload and in the other language, but not on another page", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    form.save({ party: 2 });
    for (const path of ["/event/spring", "/en-US/event/spring", "/zh-CN/event/spring"]) {
      const again = await openForm(path, tab);
      expect(again.form.$values.get()).toEqual({});
      again.form.restore();
      expect(again.form.$values.get()).toEqual({ name: "Anna", party: 2 });
    }
    const elsewhere = await openForm("/user/info", tab);
    elsewhere.form.restore();
    expect(elsewhere.form.$values.get()).toEqual({});
  });

  it("is cleared after submitting", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    form.clear();
    expect(form.$values.get()).toEqual({});
    const again = await openForm("/event/spring", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({});
  });

  it("keeps input that is newer than the draft to restore", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna", party: 2 });
    const again = await openForm("/event/spring", tab);
    again.form.save({ name: "Bert" });
    again.form.restore();
    expect(again.form.$values.get()).toMatchObject({ name: "Bert" });
  });

  it.each(["{", "null", "[]", '"x"', '{"name":7}'])("ignores unreadable storage: %s", async (stored) => {
    const { form } = await openForm("/event/spring");
    sessionStorage.setItem("DRAFT /event/spring form", stored);
    form.restore();
    expect(form.$values.get()).toEqual({});
  });

  it("stays in memory when storage is denied", async () => {
    const denied = new Proxy(sessionStorage ?? {}, {
      get() {
        throw new Error("denied");
      },
    });
    const { form } = await openForm("/event/spring", denied);
    form.restore();
    form.save({ name: "Anna" });
    expect(form.$values.get()).toEqual({ name: "Anna" });
    form.clear();
    expect(form.$values.get()).toEqual({});
  });

  it("survives an expired session for the same member", async () => {
    const { form, tab, beginSession, endSession } = await openForm("/user/info");
    beginSession("token-of-anna-0123456789", member("anna"));
    form.save({ name: "Anna" });
    endSession(true);
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-anna-1123456789", member("anna"));
    const again = await openForm("/user/info", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({ name: "Anna" });
  });

  it("is cleared when another member logs in", async () => {
    const { form, tab, beginSession, endSession } = await openForm("/user/info");
    beginSession("token-of-anna-0123456789", member("anna"));
    form.save({ name: "Anna" });
    endSession(true);
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-bert-0123456789", member("bert"));
    const again = await openForm("/user/info", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({});
    expect(JSON.stringify(tab.getItem("DRAFT /user/info form"))).not.toContain("Anna");
  });

  it("is restored after the login of the visitor who wrote it", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-anna-0123456789", member("anna"));
    const again = await openForm("/event/spring", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({ name: "Anna" });
  });

  it("is cleared by logging out, also in other tabs", async () => {
    const first = await openForm("/user/info");
    first.form.save({ name: "Anna" });
    first.logOut();
    expect(first.tab.length).toBe(0);
    expect([...first.page.storage.keys()]).toEqual([]);
    const token = await server.logIn(newMobile());
    const two = await openForm("/user/info");
    two.page.writeFromOtherTab("TOKEN", token);
    two.startSession(() => {});
    two.form.save({ name: "Anna" });
    two.page.writeFromOtherTab("LOGGED_OUT", "1");
    two.page.writeFromOtherTab("TOKEN", "");
    expect([...Array(two.tab.length)].map((_, n) => two.tab.key(n))).toEqual([]);
  });
});
