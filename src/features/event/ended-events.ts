import { formatYear } from "../../lib/date.ts";

interface DatedEvent {
  data: { starts_at: Date; ends_at: Date; status?: string | undefined };
}

/** Splits events into upcoming ones, the next first, and past ones, the latest first. */
export function splitByEnd<Event extends DatedEvent>(
  events: readonly Event[],
  now: Date,
): { upcoming: Event[]; past: Event[] } {
  const sorted = [...events].sort((a, b) => a.data.starts_at.getTime() - b.data.starts_at.getTime());
  return {
    upcoming: sorted.filter(({ data }) => data.ends_at > now),
    past: sorted.filter(({ data }) => data.ends_at <= now).reverse(),
  };
}

/** Puts the first event that takes place before cancelled ones. */
export function putLeadFirst<Event extends DatedEvent>(events: readonly Event[]): Event[] {
  const lead = events.find(({ data }) => data.status !== "cancelled");
  return lead ? [lead, ...events.filter((event) => event !== lead)] : [...events];
}

/** Groups events by year in China's time, in their order. */
export function groupByYear<Event extends DatedEvent>(events: readonly Event[]): { year: string; events: Event[] }[] {
  const years = [...new Set(events.map(({ data }) => formatYear(data.starts_at)))];
  return years.map((year) => ({ year, events: events.filter(({ data }) => formatYear(data.starts_at) === year) }));
}

// Inline scripts that correct a page built before an event ended. They stand right after the list, and run before it is painted.

/** Takes ended events off the board of upcoming ones, with a year's section after its last, and uncovers them among the past ones. */
export const moveEndedScript = `(()=>{
const d=document,board=d.querySelector("[data-board=coming]");
for(const one of board.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
const year=one.closest("[data-year]"),card=d.getElementById("past-"+one.dataset.id);
one.remove();card.hidden=card.closest("section").hidden=false;
if(year&&!year.querySelector("li"))year.remove()
}
if(!board.querySelector("[data-ends]"))board.querySelector("[data-none]").hidden=false
})()`;

/** Shows on an ended event's page that it is over, and removes booking and calendar. */
export const showEndedScript = `(()=>{
const d=document;
for(const one of d.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
for(const e of one.querySelectorAll("[data-over]"))e.hidden=false;
for(const e of one.querySelectorAll("[data-until]"))e.remove();
d.body.classList.remove("has-buybar")
}
})()`;

/** Removes ended events from a list of upcoming events, and the section with the last one. */
export const removeEndedScript = `(()=>{
for(const one of document.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
const list=one.parentElement;
one.remove();if(!list.children.length)list.closest("section").remove()
}})()`;
