import { beforeEach, describe, expect, it } from "vitest";
import type { Call } from "../../src/api/call.ts";
import { table } from "../../src/api/table.ts";
import { answering, envelope, offline, openPage } from "../support/browser.ts";
import { sources } from "../support/sources.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

async function open(stored: Record<string, string> = {}) {
  const page = openPage("/en-US", server, stored);
  return { page, ...(await import("../../src/api/fetch-public.ts")) };
}
const activityList = { method: "GET", path: "/v1/activity/info" } as const;

describe("fetchPublic", () => {
  it("sends the common headers and returns the data of the envelope", async () => {
    const { page, fetchPublic, getList } = await open();
    expect(getList(await fetchPublic(activityList), "list").length).toBeGreaterThan(0);
    const { headers } = page.sent[0] ?? {};
    expect(["device-type", "token", "accept-language"].map((name) => headers?.get(name))).toEqual(["web", "", "en-US"]);
  });

  it("sends the stored token", async () => {
    const { page, fetchPublic } = await open({ TOKEN: "abc" });
    await fetchPublic(activityList).catch(() => {});
    expect(page.sent[0]?.headers.get("token")).toBe("abc");
  });

  it.each([
    ["a network failure", offline],
    ["an error envelope", envelope(10004)],
    ["an HTML body", answering("<html>")],
    ["a body without envelope", answering("null")],
  ])("rejects on %s", async (_, line) => {
    const { page, fetchPublic } = await open();
    page.line = line;
    await expect(fetchPublic(activityList)).rejects.toThrow();
  });

  it("getList and getField return an empty value for data of another shape", async () => {
    const { getList, getField } = await open();
    expect(getList({ list: [{ a: 1 }, null, "b"] }, "list")).toEqual([{ a: 1 }]);
    for (const data of [null, undefined, 1, "x", [], {}, { list: {} }]) expect(getList(data, "list")).toEqual([]);
    expect([getField({ a: 1 }, "a"), getField(null, "a")]).toEqual([1, undefined]);
  });
});

describe("every fetchPublic call in the sources", () => {
  const calls = sources().flatMap(({ path, text }) =>
    path.startsWith("src/")
      ? Array.from(
          text.matchAll(/fetchPublic\(\{ method: "(\w+)", path: "([^"]+)" \}/g),
          ([, method, call]) => `${method} ${call}`,
        )
      : [],
  );

  it("is a public call of the contract", () => {
    expect(calls.length).toBeGreaterThan(2);
    const rows = Object.values<Call>(table).filter(({ access }) => access === "public");
    for (const one of calls) expect(rows.map(({ method, path }) => `${method} ${path}`)).toContain(one);
  });
});
