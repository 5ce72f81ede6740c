import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { findCards } from "./built-page.ts";
import { formatCards, formatMissing, missingCardsFile } from "./files.ts";
import { drawCards, placeCards } from "./picture/card.ts";
import { PictureEncoder } from "./picture/encode.ts";
import { takeMissing } from "./picture/poster/fonts.ts";

/** Draws the share cards that a first site was put up without. `cache`: that of the shop's pictures. Returns lines that say how many. Throws when a picture of one has changed since. */
export async function drawMissingCards(dist: string, cache: string): Promise<string[]> {
  const file = join(dist, missingCardsFile);
  if (!existsSync(file)) return [];
  const began = performance.now();
  const cards = findCards(await readFile(file, "utf8"));
  const missing = await placeCards(dist, cards, cache);
  await drawCards(dist, missing, new PictureEncoder(cache), cache);
  await rm(file);
  const summary = formatCards(cards.size, missing.size, performance.now() - began);
  return [summary, ...Array.from(takeMissing(), (character) => formatMissing(...character))];
}
