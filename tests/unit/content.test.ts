import { describe, expect, it } from "vitest";
import { lostEvents, strayFiles } from "../../src/content/files.ts";
import { aboutFacts, aboutSchema, eventFacts, eventSchema, newsFacts, newsSchema } from "../../src/content/schema.ts";
import { disagreements } from "../../src/content/translations.ts";
import { root } from "../support/sources.ts";
import { textsOf } from "../support/texts.ts";

// Reports the errors that stop a build, in the same words. Length and style of the content are not tested.
describe("the content", () => {
  const event = textsOf("event", eventSchema);
  const news = textsOf("news", newsSchema);
  const about = textsOf("about", aboutSchema);

  it("has the same facts in both languages", () => {
    expect(disagreements("event", event, eventFacts)).toEqual([]);
    expect(disagreements("news", news, newsFacts)).toEqual([]);
    expect(disagreements("about", about, aboutFacts)).toEqual([]);
  });

  it("has no stray files and no news about missing events", () => {
    expect(["event", "news", "about"].flatMap((collection) => strayFiles(root, collection))).toEqual([]);
    expect(lostEvents(root, news)).toEqual([]);
  });
});
