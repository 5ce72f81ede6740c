// @module-tag full
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { requestAt } from "../support/client/http.ts";
import { apply, parseRecipe } from "../support/contract/call-recipe.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

const copy = mkdtempSync(join(tmpdir(), "entrance-recipe-"));
const guide = readFileSync("CONTRIBUTING.md", "utf8");
const recipe = guide.slice(guide.indexOf("## How to add a call"));

afterEach(async () => {
  await stopServersAndRemoveFolders();
  rmSync(copy, { recursive: true, force: true });
});

describe("the recipe for a call in CONTRIBUTING.md", () => {
  it("adds a working and documented call when applied to a copy of the sources", async () => {
    for (const folder of ["i18n", "server", "src", "scripts", "tests/support", "package.json"]) {
      cpSync(folder, join(copy, folder), { recursive: true });
    }
    symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
    const changes = parseRecipe(recipe);
    expect(changes.map(({ file }) => file)).toEqual(Array.from(recipe.matchAll(/^`([\w./-]+)`$/gm), ([, file]) => file));
    expect(changes.length).toBeGreaterThan(3);
    for (const change of changes) apply(change, copy);

    const { origin } = await startServer({ DATA_DIR: newFolder("seeded") }, [], copy);
    const requestOne = (body: object) => requestAt(origin, "/v1/activity/one", { body });
    const response = await requestOne({ activity_uid: "echo" });
    expect(response).toMatchObject({ status: 200, code: 1, data: { activity: { activity_uid: "echo", my_status: null } } });
    expect(await requestOne({ activity_uid: "nothing" })).toMatchObject({ code: 10003, data: null });
    expect(await requestOne({})).toMatchObject({
      code: 10002,
      data: { fields: { activity_uid: "Needed" } },
    });
    const document = await (await fetch(`${origin}/openapi.json`)).json();
    expect(document.paths["/v1/activity/one"].post.summary).toBe("一个活动 / One activity");
    expect(await (await fetch(`${origin}/docs?lang=zh-CN`)).text()).toContain('<details id="activityOne">');
  });
});
