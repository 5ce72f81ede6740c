import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chunkFiles, chunkGroups } from "../../src/build/chunks.ts";

const root = join(import.meta.dirname, "../..");

it.each(Object.entries(chunkFiles))("every file of the chunk group %s exists and matches its group", (group, files) => {
  const test = chunkGroups.find(({ name }) => name === group)?.test;
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.filter((file) => !test?.test(join(root, file)))).toEqual([]);
});
