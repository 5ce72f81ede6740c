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
import { readTexts } from "../support/content/content.ts";
import { root } from "../support/rules/sources.ts";

const eventSchema = createEventSchema(Object.keys(sheets));
const newsSchema = createNewsSchema(Object.keys(sheets));

// Reports faults of the content before a build does, with the same messages. Length and style are up to the editors.
describe("the content", () => {
  const event = readTexts("event", eventSchema);
  const news = readTexts("news", newsSchema);
  const about = readTexts("about", aboutSchema);

  it("has the same facts in both languages", () => {
    expect(findDifferences("event", event, eventFacts)).toEqual([]);
    expect(findDifferences("news", news, newsFacts)).toEqual([]);
    expect(findDifferences("about", about, aboutFacts)).toEqual([]);
  });

  it("has no stray files and no news about missing events", () => {
    expect(["event", "news", "about"].flatMap((collection) => findStrayFiles(root, collection))).toEqual([]);
    expect(findMissingEvents(root, news)).toEqual([]);
  });
});
