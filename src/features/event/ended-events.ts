import { formatDate, formatYear } from "#src/lib/date.ts";

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

/** Groups events by year in China's time, in their order, and a year's by month where that makes fewer parts than it has events. */
export function groupByYear<Event extends DatedEvent>(events: readonly Event[]): { year: string; months: Event[][] }[] {
  return groupBy(events, formatYear).map((ofYear) => {
    const months = groupBy(ofYear, (date) => formatDate(date).slice(0, 7));
    const year = ofYear[0] ? formatYear(ofYear[0].data.starts_at) : "";
    return { year, months: months.length < ofYear.length ? months : [ofYear] };
  });
}

function groupBy<Event extends DatedEvent>(events: readonly Event[], toKey: (date: Date) => string): Event[][] {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const key = toKey(event.data.starts_at);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

// Inline scripts that correct a page built before an event ended. They stand right after the list, and run before it is painted.

/** Takes ended events off the board of upcoming ones, with the part of a month or a year after its last, and uncovers them among the past ones. */
export const moveEndedScript = `(()=>{
const d=document,board=d.querySelector("[data-board=coming]");
for(const one of board.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
const parts=["month","year"].map(p=>one.closest("[data-"+p+"]")),card=d.getElementById("past-"+one.dataset.id);
one.remove();card.hidden=card.closest("section").hidden=false;
for(const p of parts)if(p&&!p.querySelector("li"))p.remove()
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
