import { expect, it } from "vitest";
import { paginationRange } from "../../src/lib/format.ts";

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 9, [1, 2, 9]],
  [3, 5, [1, 2, 3, 4, 5]],
  [600, 1250, [1, 599, 600, 601, 1250]],
  [1250, 1250, [1, 1249, 1250]],
])("paginationRange of page %i of %i is %j", (page, pages, linked) => {
  expect(paginationRange(page, pages)).toEqual(linked);
});
