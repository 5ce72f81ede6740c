import { expect, it } from "vitest";
import { toCalendar } from "#src/features/event/calendar.ts";
import { findCalendarFaults } from "#tests/support/validators/feeds.ts";

const at = (hour: number) => new Date(Date.UTC(2027, 2, 20, hour));
const data = {
  title: "Entrance",
  summary: "The first one.",
  city: "Shanghai",
  venue: "Depot",
  starts_at: at(11),
  ends_at: at(13),
};
const show = (fields: object = {}) => ({
  folder: "entrance",
  locale: "en-US" as const,
  data: { ...data, status: "scheduled" as const, ...fields },
});
const build = (site: string, fields?: object) =>
  toCalendar([show(fields)], { locale: "en-US", site: new URL(site), shop: "night-market", name: "Label" });
const getLine = (calendar: string, name: string) => new RegExp(`^${name}[;:].*`, "m").exec(calendar)?.[0];

it("a show has the same UID in the calendars of another domain, and another one in those of another shop", () => {
  const uid = getLine(build("http://localhost:4321"), "UID");
  expect(getLine(build("https://label.example"), "UID")).toBe(uid);
  expect(getLine(build("https://label.example", { aliases: ["gate"] }), "UID")).not.toBe(uid);
  const other = toCalendar([show()], { locale: "en-US", site: new URL("https://label.example"), shop: "label" });
  expect(getLine(other, "UID")).not.toBe(uid);
});

it.each([0, 1])("a calendar of %i shows names its product, has no METHOD, and says how often to load it again", (count) => {
  const options = { locale: "en-US" as const, site: new URL("https://label.example"), shop: "label", name: "Label" };
  expect(findCalendarFaults(toCalendar(count > 0 ? [show()] : [], options), count)).toEqual([]);
});

it("a show that has changed on a day is stamped with that day, by every build", () => {
  expect(getLine(build("https://label.example", { updated: new Date("2026-12-01") }), "DTSTAMP")).toBe(
    "DTSTAMP:20261201T000000Z",
  );
});
