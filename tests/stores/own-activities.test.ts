import { beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { offline, openPage, respondWithEnvelope } from "../support/client/browser.ts";
import { client } from "../support/client/client.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

let server: TestServer;
let token: string;
beforeEach(async () => {
  server = await createTestServer("PGlite");
  token = await server.logIn(newMobile());
});

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });
const book = (activity_uid: string) => client(server, { token }).call(contract.activityBooking, { activity_uid });

async function open() {
  const page = openPage("/user/info", server, { TOKEN: token });
  const { ownActivities } = await import("../../src/features/activity/own-activities.ts");
  const store = ownActivities((caught) => caught);
  store.$state.subscribe(() => {});
  const formatState = () => {
    const now = store.$state.get();
    return now.state === "ready"
      ? now.data.map(({ activity, isPast }) => activity.activity_uid + (isPast ? " past" : ""))
      : now.state;
  };
  await until(() => expect(store.$state.get().state).toBe("ready"));
  return { page, store, formatState };
}

describe("a member's booked activities", () => {
  it("are empty at first, then sorted by date, each with a check-in code", async () => {
    const { store, formatState } = await open();
    expect(formatState()).toEqual([]);
    for (const uid of ["slow", "entrance"]) await book(uid);
    await store.load();
    expect(formatState()).toEqual(["entrance", "slow"]);
    expect(store.$state.get()).toMatchObject({ data: [{ activity: { check_in_code: expect.stringMatching(/^\w{8}$/) } }, {}] });
  });

  it("are past by the server's clock, and past activities come last", async () => {
    for (const uid of ["slow", "entrance"]) await book(uid);
    const { page, store, formatState } = await open();
    // Sets the server's time to the end of the first activity.
    page.network = async (_request, pass) => {
      const { code, msg, data } = await (await pass()).json();
      const server_time = data.list.find((one: { activity_uid: string }) => one.activity_uid === "entrance").ends_at;
      return respondWithEnvelope(code, { ...data, server_time }, msg)(_request, pass);
    };
    await store.load();
    expect(formatState()).toEqual(["slow", "entrance past"]);
  });

  it("reload when another member logs in", async () => {
    await book("entrance");
    const { page, formatState } = await open();
    expect(formatState()).toEqual(["entrance"]);
    page.writeFromOtherTab("TOKEN", await server.logIn(newMobile()));
    await until(() => expect(formatState()).toEqual([]));
  });

  it.each([
    ["no connection", offline],
    ["a refusal", respondWithEnvelope(10503)],
  ])("load again after %s", async (_, line) => {
    const { page, store, formatState } = await open();
    page.network = line;
    await store.load();
    expect(formatState()).toBe("failed");
    page.network = (_request, pass) => pass();
    await store.load();
    expect(formatState()).toEqual([]);
  });
});
