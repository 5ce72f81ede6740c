import { ajar, doors, doorway, facade, spring } from "./motif/building.ts";
import { cassette, parcel, pass, print, stick, tee, tote, vinyl } from "./motif/goods.ts";
import { arcs, glasses, grooves, moire, reels, spectro, spiral } from "./motif/sound.ts";
import { crowd, marks, rosette, tally } from "./motif/stage.ts";
import { desk, ferry, road, sign, train, wake } from "./motif/travel.ts";
import { barograph, frost, night, noon, sundial, wind } from "./motif/weather.ts";

/** Everything that can be drawn; each has its one idea written over it. */
export const motifs = {
  ...{ arcs, doorway, ferry, frost, marks, moire, night, road, spectro, spring, sundial, train, wind },
  ...{ ajar, barograph, crowd, desk, doors, facade, glasses, grooves, noon, reels, rosette, sign, spiral, tally, wake },
  ...{ cassette, parcel, pass, print, stick, tee, tote, vinyl },
};
export type MotifName = keyof typeof motifs;
