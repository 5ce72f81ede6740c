import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { LogEntry } from "../../server/http/request-log.ts";
import { serveFixture } from "../support/content/site.ts";

describe("an unreadable file", () => {
  it.each([
    ["a localized error page", ["build.json", "news.html", "500.html"]],
    ["no error page", ["build.json", "news.html"]],
    ["an unreadable error page", ["build.json", "news.html", "500.html"], "500.html"],
  ])("responds with 500 and the logged request id in a build with %s", async (_, names, missingFile = "news.html") => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const entries: LogEntry[] = [];
    const files = { "build.json": '{"id":"1"}', "500.html": '<p id="request" hidden>%REQUEST_ID%</p>', "news.html": "" };
    const all = Object.entries(files).filter(([name]) => names.includes(name));
    const site = await serveFixture(Object.fromEntries(all), { log: (entry) => entries.push(entry) });
    // The server has read the build; then its files are deleted.
    expect((await site.request("/nowhere.txt")).status).toBe(404);
    for (const name of ["news.html", missingFile]) rmSync(join(site.dir, name), { force: true });
    const { status, headers, body } = await site.request("/news");
    await site.close();
    const id = headers["x-request-id"];
    expect(status).toBe(500);
    expect(body.toString()).toContain(id);
    expect(body.toString()).not.toContain("ENOENT");
    expect(printed.mock.calls).toEqual([[expect.stringContaining(`Request ${id} failed: Error: ENOENT`)]]);
    expect(entries.at(-1)).toMatchObject({ id, method: "GET", path: "/news", status: 500, code: null });
    printed.mockRestore();
  });
});
