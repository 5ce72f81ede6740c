// @module-tag full
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { copySources } from "../../scripts/copy-sources.ts";
import { eventFile, newsFile } from "../support/content/content.ts";

const copy = copySources();
// Adds an event and a news item, so that the test does not depend on the content.
for (const [path, text] of [
  ["event/entrance/index.zh-CN.md", eventFile()],
  ["news/about-entrance/index.en-US.md", newsFile],
] as const) {
  const file = join(copy, "src/content", path);
  rmSync(dirname(file), { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it.each([
  ["news/about-entrance/index.en-US.md", "<script>\nalert(1)\n</script>", "<script>"],
  ["event/entrance/index.zh-CN.md", "看 <iframe src=/user/info></iframe>", "<iframe>"],
  ["about/terms/index.en-US.md", '<b onclick="alert(1)">terms</b>', "onclick of <b>"],
])("the build fails with file and line when %s contains %j", (path, addition, names) => {
  const file = join(copy, "src/content", path);
  const before = readFileSync(file, "utf8");
  const start = `${before.trimEnd()}\n\n`;
  writeFileSync(file, `${start}${addition}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["node_modules/astro/bin/astro.mjs", "build"], {
    cwd: copy,
    env: { ...process.env, BUILD_API_ORIGIN: "", ASTRO_TELEMETRY_DISABLED: "1" },
    encoding: "utf8",
  });
  writeFileSync(file, before);
  expect(status).toBe(1);
  expect(stdout + stderr).toContain(`${path}:${start.split("\n").length}: ${names}`);
});
