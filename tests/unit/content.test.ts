import { describe, expect, it } from "vitest";
import { sheets } from "../../src/build/poster/sheets.ts";
import { findMissingEvents, findStrayFiles } from "../../src/content/files.ts";
import {
  aboutFacts,
  aboutSchema,
  createEventSchema,
  createNewsSchema,
  eventFacts,
  newsFacts,
} from "../../src/content/schema.ts";
import { findDifferences } from "../../src/content/translations.ts";
import { root } from "../support/sources.ts";
import { readTexts } from "../support/texts.ts";

const eventSchema = createEventSchema(Object.keys(sheets));
const newsSchema = createNewsSchema(Object.keys(sheets));

// Reports the errors that stop a build, in the same words. Length and style of the content are not tested.
describe("the content", () => {
  const event = readTexts("event", eventSchema);
  const news = readTexts("news", newsSchema);
  const about = readTexts("about", aboutSchema);

  it("agrees in both languages on what is fact", () => {
    expect(findDifferences("event", event, eventFacts)).toEqual([]);
    expect(findDifferences("news", news, newsFacts)).toEqual([]);
    expect(findDifferences("about", about, aboutFacts)).toEqual([]);
  });

  it("holds no file that no page shows, and no news about events that are not there", () => {
    expect(["event", "news", "about"].flatMap((collection) => findStrayFiles(root, collection))).toEqual([]);
    expect(findMissingEvents(root, news)).toEqual([]);
  });
});
