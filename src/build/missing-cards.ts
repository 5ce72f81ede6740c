import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { findCards } from "./built-page.ts";
import { formatCards, formatMissing, missingCardsFile } from "./files.ts";
import { drawCards, placeCards } from "./picture/card.ts";
import { PictureEncoder } from "./picture/encode.ts";
import { takeMissing } from "./picture/poster/fonts.ts";

/** Draws the share cards that a first site was put up without, and prints how many. `cache`: that of the shop's pictures. Throws when a picture of one has changed since. */
export async function drawMissingCards(dist: string, cache: string, print: (line: string) => void): Promise<void> {
  const file = join(dist, missingCardsFile);
  if (!existsSync(file)) return;
  const began = performance.now();
  const cards = findCards(await readFile(file, "utf8"));
  const missing = await placeCards(dist, cards, cache);
  await drawCards(dist, missing, new PictureEncoder(cache), cache);
  await rm(file);
  print(formatCards(cards.size, missing.size, performance.now() - began));
  for (const character of takeMissing()) print(formatMissing(...character));
}
