import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply, parseRecipe } from "../support/contract/call-recipe.ts";

const recipe = `
\`table.ts\`

\`\`\`diff
-import { info } from "./activity.ts";
+import { info, one } from "./activity.ts";
@@
   info,
+  one,
   booking,
\`\`\`
`;
const before = 'import { info } from "./activity.ts";\n\n  info,\n  booking,\n';
const applied = 'import { info, one } from "./activity.ts";\n\n  info,\n  one,\n  booking,\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "entrance-recipe-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function follow(text: string): string {
  writeFileSync(join(folder, "table.ts"), text);
  for (const change of parseRecipe(recipe)) apply(change, folder);
  return readFileSync(join(folder, "table.ts"), "utf8");
}

describe("a recipe of CONTRIBUTING.md", () => {
  it("is applied to an unchanged file", () => {
    expect(follow(before)).toBe(applied);
  });

  it("changes nothing in a file to which it was already applied", () => {
    expect(follow(applied)).toBe(applied);
  });

  it("is applied beside another call that was added with it", () => {
    const own = 'import { info, mine } from "./activity.ts";\n\n  info,\n  mine,\n  booking,\n';
    expect(follow(own)).toBe('import { info, mine, one } from "./activity.ts";\n\n  info,\n  one,\n  mine,\n  booking,\n');
  });

  it("throws with the line when the file has no matching context", () => {
    expect(() => follow("nothing\n")).toThrow("The recipe has a line for table.ts that fits nowhere any more:   one,");
  });
});
