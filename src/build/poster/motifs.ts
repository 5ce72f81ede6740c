import { ajar } from "./motif/ajar.ts";
import { arcs } from "./motif/arcs.ts";
import { barograph } from "./motif/barograph.ts";
import { cassette } from "./motif/cassette.ts";
import { crowd } from "./motif/crowd.ts";
import { desk } from "./motif/desk.ts";
import { doors } from "./motif/doors.ts";
import { doorway } from "./motif/doorway.ts";
import { facade } from "./motif/facade.ts";
import { ferry } from "./motif/ferry.ts";
import { frost } from "./motif/frost.ts";
import { glasses } from "./motif/glasses.ts";
import { grooves } from "./motif/grooves.ts";
import { marks } from "./motif/marks.ts";
import { moire } from "./motif/moire.ts";
import { night } from "./motif/night.ts";
import { noon } from "./motif/noon.ts";
import { parcel } from "./motif/parcel.ts";
import { pass } from "./motif/pass.ts";
import { print } from "./motif/print.ts";
import { reels } from "./motif/reels.ts";
import { road } from "./motif/road.ts";
import { rosette } from "./motif/rosette.ts";
import { sign } from "./motif/sign.ts";
import { spectro } from "./motif/spectro.ts";
import { spiral } from "./motif/spiral.ts";
import { spring } from "./motif/spring.ts";
import { stick } from "./motif/stick.ts";
import { sundial } from "./motif/sundial.ts";
import { tally } from "./motif/tally.ts";
import { tee } from "./motif/tee.ts";
import { tote } from "./motif/tote.ts";
import { train } from "./motif/train.ts";
import { vinyl } from "./motif/vinyl.ts";
import { wake } from "./motif/wake.ts";
import { wind } from "./motif/wind.ts";

/** Everything that can be drawn; each has its one idea written over it. */
export const motifs = {
  ...{ arcs, doorway, ferry, frost, marks, moire, night, road, spectro, spring, sundial, train, wind },
  ...{ ajar, barograph, crowd, desk, doors, facade, glasses, grooves, noon, reels, rosette, sign, spiral, tally, wake },
  ...{ cassette, parcel, pass, print, stick, tee, tote, vinyl },
};
export type MotifName = keyof typeof motifs;
