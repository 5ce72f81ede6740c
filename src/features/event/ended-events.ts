interface DatedEvent {
  data: { starts_at: Date; ends_at: Date };
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

// Inline scripts that correct a page built before an event ended. They stand right after the list, and run before it is painted.

/** Moves ended events from the upcoming list to the past one. On an event's own page it shows the "over" tag and removes booking and calendar. */
export const moveEndedScript = `(()=>{
const d=document,past=d.querySelector("[data-board=past]");
for(const one of d.querySelectorAll("[data-ends]")){
if(Date.parse(one.dataset.ends)>Date.now())continue;
const over=one.querySelectorAll("[data-over]"),list=one.parentElement;
one.querySelector("[data-activity]")?.removeAttribute("data-activity");
if(over.length){for(const e of over)e.hidden=false;for(const e of one.querySelectorAll("[data-until]"))e.remove();d.body.classList.remove("has-buybar")}
else{one.querySelector(".row").classList.add("sold");past.prepend(one);past.closest("section").hidden=false;if(!list.children.length)list.nextElementSibling.hidden=false}
}})()`;

/** Removes ended events from a list of upcoming events, and the section with the last one. */
export const removeEndedScript = `(()=>{
for(const one of document.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
const list=one.parentElement;
one.remove();if(!list.children.length)list.closest("section").remove()
}})()`;
