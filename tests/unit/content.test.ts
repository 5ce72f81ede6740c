import { describe, expect, it } from "vitest";
import { lostEvents, strayFiles } from "../../src/content/files.ts";
import { aboutFacts, aboutSchema, eventFacts, eventSchema, newsFacts, newsSchema } from "../../src/content/schema.ts";
import { disagreements } from "../../src/content/translations.ts";
import { root } from "../support/sources.ts";
import { readTexts } from "../support/texts.ts";

// What stops a build is found here first, in the same words. How much is written, and in which voice, is the editors' business.
describe("the content", () => {
  const event = readTexts("event", eventSchema);
  const news = readTexts("news", newsSchema);
  const about = readTexts("about", aboutSchema);

  it("agrees in both languages on what is fact", () => {
    expect(disagreements("event", event, eventFacts)).toEqual([]);
    expect(disagreements("news", news, newsFacts)).toEqual([]);
    expect(disagreements("about", about, aboutFacts)).toEqual([]);
  });

  it("holds no file that no page shows, and no news about events that are not there", () => {
    expect(["event", "news", "about"].flatMap((collection) => strayFiles(root, collection))).toEqual([]);
    expect(lostEvents(root, news)).toEqual([]);
  });
});
