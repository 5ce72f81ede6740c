import { beforeEach, describe, expect, it, vi } from "vitest";
import { responseCode } from "#i18n/response-code.ts";
import {
  networkFaults,
  offline,
  openPage,
  type Page,
  reasons,
  respondWithEnvelope,
  until,
} from "#tests/support/client/browser.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

const texts = { notActivated: "activate first", notActivatedHint: "in the app", ...reasons };
const inactive = () => createTestServer("PGlite", { env: { ACTIVATE_NEW_MEMBERS: "false" } });

/** Opens the home page. The banner's stores run while they have a listener. */
async function open(stored: Record<string, string> = {}) {
  const page = openPage("/en-US", server, stored);
  const concert = await import("#src/features/concert/store.ts");
  const session = await import("#src/features/session/store.ts");
  const { $activated } = await import("#src/features/concert-token/store.ts");
  const { $notifications } = await import("#src/features/notification/store.ts");
  const toLogin = vi.fn();
  return { page, ...concert, ...session, $activated, $notifications, toLogin, toggle: () => concert.toggle(texts, toLogin) };
}

async function memberPage() {
  const opened = await open({ TOKEN: await server.logIn(newMobile()) });
  opened.$plan.subscribe(() => {});
  return opened;
}

async function openSettled() {
  const opened = await memberPage();
  await until(() => expect(opened.page.calls()).toContain("main/forwardCallApi"));
  await until(() => expect(opened.$activated.get()).not.toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 20));
  return opened;
}

describe("the concert plan of a visitor", () => {
  it("is not joined, and is closed for the life of the tab", async () => {
    const { $plan, close } = await open();
    expect($plan.get()).toEqual({ isPlan: false, isShow: true, isClosed: false });
    const { hasClosing } = await import("#src/features/concert/banner-state.ts");
    expect(hasClosing()).toBe(false);
    close();
    expect($plan.get()).toEqual({ isPlan: false, isShow: true, isClosed: true });
    expect(hasClosing()).toBe(true);
  });

  it.each([
    ["over", { isShow: false, isClosed: false }],
    ["closed", { isShow: true, isClosed: true }],
  ])("begins as the page has found it before the paint: %s", async (reason, expected) => {
    openPage("/en-US", server);
    document.documentElement.dataset.plan = reason;
    const { $plan } = await import("#src/features/concert/store.ts");
    expect($plan.get()).toEqual({ isPlan: false, ...expected });
    // As built: what React hydrates.
    expect($plan.init).toEqual({ isPlan: false, isShow: true, isClosed: false });
  });

  it("requests the anonymous count without a session", async () => {
    const { page } = await open();
    const { countAnonymously } = await import("#src/features/concert/api.ts");
    await countAnonymously();
    expect(page.requests).toMatchObject([{ path: "/v1/marsx/getplan", body: { id: 1001 } }]);
  });

  it("shows no notification when the anonymous count fails", async () => {
    const { page, $notifications } = await open();
    page.network = offline;
    const { countAnonymously } = await import("#src/features/concert/api.ts");
    await countAnonymously();
    expect($notifications.get()).toEqual([]);
  });
});

describe("the concert plan of an activated member", () => {
  it("requests and stores both tokens after the login, then loads the plan", async () => {
    const { page, $activated } = await openSettled();
    expect(page.calls()).toEqual(["marsx/userToken", "main/forwardCallApi"]);
    expect($activated.get()).toBe(true);
    expect(page.storage.get("USER_TOKEN")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(page.storage.get("CHAT_TOKEN")).toMatch(/^[\w-]{20,}$/);
    expect(page.requests[1]?.body).toMatchObject({
      request_url: "/api/concert/getplan",
      request_method: "POST",
      request_header: { "content-type": "application/json", authorization: `Bearer ${page.storage.get("USER_TOKEN")}` },
      request_data: { Id: 1001 },
    });
  });

  it("toggles optimistically, sends the new state and reloads the plan", async () => {
    const { page, $plan, toggle } = await openSettled();
    page.requests.length = 0;
    const joining = toggle();
    expect($plan.get().isPlan).toBe(true);
    await joining;
    expect(page.requests.map(({ body }) => body)).toMatchObject([
      { request_url: "/api/concert/setplan", request_data: { Id: 1001, IsPlan: true } },
      { request_url: "/api/concert/getplan", request_data: { Id: 1001 } },
    ]);
    expect($plan.get().isPlan).toBe(true);
    await toggle();
    expect($plan.get().isPlan).toBe(false);
  });

  it("sends the last state when toggled repeatedly", async () => {
    const { page, $plan, toggle } = await openSettled();
    await Promise.all([toggle(), toggle(), toggle()]);
    await until(() => expect(page.calls().length).toBeGreaterThan(3));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect($plan.get().isPlan).toBe(true);
    const wishes = page.requests
      .map(({ body }) => body as { request_data?: { IsPlan?: boolean } })
      .map((body) => body.request_data?.IsPlan);
    expect(wishes.filter((wish) => wish !== undefined).at(-1)).toBe(true);
  });

  it("rolls back and shows the server's message when joining is rejected", async () => {
    const { page, $plan, toggle, $notifications } = await openSettled();
    page.network = respondWithEnvelope(10503, null, "the hall does not respond");
    const joining = toggle();
    expect($plan.get().isPlan).toBe(true);
    await joining;
    expect($plan.get().isPlan).toBe(false);
    expect($notifications.get()).toMatchObject([{ title: "the hall does not respond", color: "error" }]);
  });

  it("waits for pending tokens and requests them only once", async () => {
    const { page, $plan, toggle } = await memberPage();
    await toggle();
    expect($plan.get().isPlan).toBe(true);
    expect(page.calls().filter((name) => name === "marsx/userToken")).toHaveLength(1);
  });

  it("retries failed tokens on joining; activation is unknown until then", async () => {
    const token = await server.logIn(newMobile());
    const opened = await open({ TOKEN: token });
    opened.page.network = offline;
    opened.$plan.subscribe(() => {});
    await until(() => expect(opened.page.calls()).toEqual(["marsx/userToken"]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(opened.$activated.get()).toBeNull();
    expect(opened.$notifications.get()).toEqual([]);
    opened.page.network = (_request, pass) => pass();
    await opened.toggle();
    expect(opened.$activated.get()).toBe(true);
    expect(opened.$plan.get().isPlan).toBe(true);
  });

  const noToken = respondWithEnvelope(1, { app_user_token: "", chat_token: "", app_response_code: 1 });
  it.each([...networkFaults, ["an empty token", noToken, "unreadable"] as const])(
    "names what has failed when the token is requested again and the answer is %s",
    async (_, network, why) => {
      const opened = await open({ TOKEN: await server.logIn(newMobile()) });
      opened.page.network = network;
      opened.$plan.subscribe(() => {});
      await opened.toggle();
      expect(opened.$plan.get().isPlan).toBe(false);
      expect(opened.$notifications.get()).toMatchObject([{ title: why, color: "error" }]);
    },
  );

  const noPlan = respondWithEnvelope(1, { response_data: '{"data":{}}' });
  it.each([...networkFaults, ["no plan", noPlan, "unreadable"] as const])(
    "names what has failed when a forwarded call to join is answered with %s",
    async (_, network, why) => {
      const { page, $plan, toggle, $notifications } = await openSettled();
      page.network = (request, pass) => (request.url.endsWith("/forwardCallApi") ? network(request, pass) : pass());
      await toggle();
      expect($plan.get().isPlan).toBe(false);
      expect($notifications.get()).toMatchObject([{ title: why, color: "error" }]);
    },
  );

  /** Answers the next `times` requests for the token with ones that no server knows, and that do not say how long they are valid. */
  function giveUnknownTokens(page: Page, times: number): void {
    let count = 0;
    page.network = async (request, pass) => {
      if (!request.url.endsWith("/userToken") || count === times) return pass();
      count += 1;
      const data = { app_user_token: `opaque${count}`, chat_token: "c", app_response_code: 1 };
      return Response.json({ code: 1, msg: "ok", data });
    };
  }

  it("renews a token once when it is refused, and joins", async () => {
    const opened = await open({ TOKEN: await server.logIn(newMobile()) });
    giveUnknownTokens(opened.page, 1);
    await opened.toggle();
    expect(opened.page.calls().filter((name) => name === "marsx/userToken")).toHaveLength(2);
    expect(opened.$plan.get().isPlan).toBe(true);
    expect(opened.$notifications.get()).toEqual([]);
  });

  it("shows the refusal when the renewed token is refused too", async () => {
    const opened = await open({ TOKEN: await server.logIn(newMobile()) });
    giveUnknownTokens(opened.page, 9);
    await opened.toggle();
    expect(opened.page.calls().filter((name) => name === "marsx/userToken")).toHaveLength(2);
    expect(opened.$plan.get().isPlan).toBe(false);
    expect(opened.$notifications.get()).toMatchObject([{ title: responseCode["en-US"].notAllowed }]);
  });

  it("renews a token before it runs out, by what the server says", async () => {
    const { page, toggle, $plan } = await openSettled();
    page.requests.length = 0;
    const now = Date.now();
    const clock = vi.spyOn(Date, "now");
    clock.mockReturnValue(now + 260_000);
    await toggle();
    expect(page.calls()).not.toContain("marsx/userToken");
    clock.mockReturnValue(now + 275_000);
    page.requests.length = 0;
    await toggle();
    expect(page.calls().slice(0, 2)).toEqual(["marsx/userToken", "main/forwardCallApi"]);
    expect($plan.get().isPlan).toBe(false);
    clock.mockRestore();
  });

  it("clears both tokens and requests the anonymous count after the log-out", async () => {
    const { page, $plan, $activated, toggle } = await openSettled();
    await toggle();
    page.requests.length = 0;
    page.writeFromOtherTab("TOKEN", null);
    await until(() => expect(page.calls()).toEqual(["marsx/getplan"]));
    expect(page.storage.has("USER_TOKEN")).toBe(false);
    expect(page.storage.has("CHAT_TOKEN")).toBe(false);
    expect($plan.get().isPlan).toBe(false);
    expect($activated.get()).toBeNull();
  });
});

describe("the concert plan of a member who is not activated", () => {
  it("has no tokens after 302006, requests the anonymous count and refuses to join with a hint", async () => {
    server = await inactive();
    const { page, $plan, $activated, toggle, $notifications } = await memberPage();
    await until(() => expect(page.calls()).toEqual(["marsx/userToken", "marsx/getplan"]));
    expect($activated.get()).toBe(false);
    expect(page.storage.get("USER_TOKEN") ?? "").toBe("");
    expect(page.storage.get("CHAT_TOKEN") ?? "").toBe("");
    page.requests.length = 0;
    await toggle();
    expect(page.requests).toEqual([]);
    expect($plan.get().isPlan).toBe(false);
    expect($notifications.get()).toMatchObject([{ title: "activate first", description: "in the app" }]);
  });

  it("refuses to join when 302006 arrives during joining", async () => {
    server = await inactive();
    const { $plan, toggle, $notifications } = await memberPage();
    await toggle();
    expect($plan.get().isPlan).toBe(false);
    expect($notifications.get()).toMatchObject([{ title: "activate first" }]);
  });
});
