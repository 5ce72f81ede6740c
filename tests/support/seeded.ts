import { activitySeed } from "../../server/db/seed/activity.ts";
import { campaignSeed } from "../../server/db/seed/booking.ts";
import { goodsSeed } from "../../server/db/seed/goods.ts";

/** What the demo's database says of things that the site's own texts and pictures speak of too. */
export function seeded(now: Date) {
  return {
    activities: activitySeed(now),
    campaign: campaignSeed(now),
    pictures: goodsSeed.flatMap(({ images }) => images),
  };
}
