import { aboutSchema, aboutWords } from "./about.ts";
import { campaignSchema, campaignWords } from "./campaign.ts";
import { eventSchema, eventWords } from "./event.ts";
import { goodsSchema, goodsWords } from "./goods.ts";
import { newsSchema, newsWords } from "./news.ts";
import { packageSchema, packageWords } from "./package.ts";
import { siteSchema, siteWords } from "./site.ts";

/**
 * What a shop's files hold. `schema` is the default language's file, which has the facts and its words; `words` is the
 * other language's. A field of both that is a list or has fields of its own (cover, stops) is merged entry by entry.
 */
export const kinds = {
  event: { schema: eventSchema, words: eventWords },
  news: { schema: newsSchema, words: newsWords },
  goods: { schema: goodsSchema, words: goodsWords },
  package: { schema: packageSchema, words: packageWords },
  campaign: { schema: campaignSchema, words: campaignWords },
  about: { schema: aboutSchema, words: aboutWords },
} as const;

export type Kind = keyof typeof kinds;
export const kindNames = ["event", "news", "goods", "package", "campaign", "about"] as const satisfies readonly Kind[];

export const site = { schema: siteSchema, words: siteWords } as const;

/** Fields with an entry of the other language for each entry of the default language. */
export const parallelFields = ["pictures", "audio", "line_up", "programme", "specs", "rights", "stops", "social"];
/** Fields that are facts and words at once: the other language's are laid over the default language's. */
export const mixedFields = ["cover", "pictures", "audio", "art", "rights", "stops", "plan", "social"];
/** Those of them that one language may leave to the default language. */
export const optionalMixedFields = ["plan", "social"];
/** Words that are often the same in both languages: one without them takes the default language's. */
export const inheritedFields = ["contact"];
