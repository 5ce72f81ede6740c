// @module-tag full
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { newFolder, spawnServer, startServer, stopServersAndRemoveFolders } from "../support/processes/child-process.ts";

afterEach(stopServersAndRemoveFolders);

const getMode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe("DATA_DIR", () => {
  it("and the database in it are the user's alone after each start, whatever they were created with", async () => {
    const DATA_DIR = join(newFolder(), "data");
    mkdirSync(DATA_DIR);
    chmodSync(DATA_DIR, 0o755);
    const first = await startServer({ DATA_DIR });
    expect([getMode(DATA_DIR), getMode(join(DATA_DIR, "database"))]).toEqual(["700", "700"]);
    first.child.kill("SIGTERM");
    await first.ended;
    chmodSync(DATA_DIR, 0o777);
    chmodSync(join(DATA_DIR, "database"), 0o2775);
    await startServer({ DATA_DIR });
    expect([getMode(DATA_DIR), getMode(join(DATA_DIR, "database"))]).toEqual(["700", "700"]);
  });

  it.each<[string, (folder: string) => void, isPossible: boolean]>([
    ["is shared by many users, as /tmp is", (folder) => chmodSync(folder, 0o1777), true],
    ["belongs to another user", (folder) => chownSync(folder, 65534, 65534), process.getuid?.() === 0],
    [
      "has the database of another user",
      (folder) => {
        mkdirSync(join(folder, "database"));
        chownSync(join(folder, "database"), 65534, 65534);
      },
      process.getuid?.() === 0,
    ],
  ])("is refused with one sentence, and left as it is, where it %s", async (_, change, isPossible) => {
    if (!isPossible) return;
    const DATA_DIR = newFolder();
    change(DATA_DIR);
    const before = [getMode(DATA_DIR), readdirSync(DATA_DIR)];
    const { status, output } = await spawnServer({ DATA_DIR }).ended;
    expect(status).toBe(1);
    expect(output.trim()).toMatch(/^\S+ holds members' data and is not this user's alone: .*\.$/);
    expect([getMode(DATA_DIR), readdirSync(DATA_DIR)]).toEqual(before);
  });
});
