import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import type { Demo } from "#tests/support/client/demo.ts";
import { root } from "#tests/support/rules/sources.ts";

/** The shop of the pictures: the demo, or the tests' label, whose pictures are photographs. */
export const shop = process.env.PICTURES === "label" ? "label" : "demo";

/** The pictures of the shop. */
export const folder = join(root, ".cache/pictures", shop);

export interface PicturedPage {
  name: string;
  path: string;
  /** The demo's member, who has orders and bookings, or one who has nothing yet. */
  by?: "member" | "newcomer";
}

/** What pictures depend on besides the pages: with the same record, two builds show the same orders and times. */
export interface PictureRecord {
  origin: string;
  /** The browser's clock, in ms. */
  at: number;
  pages: PicturedPage[];
  /** What the site stores of each member. */
  members: Record<"member" | "newcomer", Demo["stored"]>;
}

/** Returns whether a run takes new pictures (`--update-snapshots`), in place of comparing. */
export const takesNew = ({ updateSnapshots }: Pick<FullConfig, "updateSnapshots">): boolean =>
  updateSnapshots === "all" || updateSnapshots === "changed";

const file = join(folder, "record.json");

/** Reads the record of the pictures. Throws when there are none. */
export function readRecord(): PictureRecord {
  if (!existsSync(file)) throw new Error(`There are no pictures in ${folder}: npm run pictures -- --update-snapshots`);
  return JSON.parse(readFileSync(file, "utf8"));
}

export const writeRecord = (record: PictureRecord): void => writeFileSync(file, JSON.stringify(record, null, 2));
