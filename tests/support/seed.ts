import { goodsSeed } from "../../server/db/seed/goods.ts";

/** The pictures of the demo's goods. */
export const seededPictures = goodsSeed.flatMap(({ images }) => images);
