/**
 * An old build does not lie: what has ended since it was made moves from the coming events to the past ones, and on its own page is said to be over and offers neither a place nor an entry for the calendar. As text, as it stands in the page right
 * behind what it is about: it runs before that is painted.
 */
export const todayScript = `(()=>{
const d=document,past=d.querySelector("[data-board=past]");
for(const one of d.querySelectorAll("[data-ends]")){
if(Date.parse(one.dataset.ends)>Date.now())continue;
const over=one.querySelectorAll("[data-over]"),list=one.parentElement;
one.querySelector("[data-activity]")?.removeAttribute("data-activity");
if(over.length){for(const e of over)e.hidden=false;for(const e of one.querySelectorAll("[data-until]"))e.remove();d.body.classList.remove("has-buybar")}
else{one.querySelector(".row").classList.add("sold");past.prepend(one);past.closest("section").hidden=false;if(!list.children.length)list.nextElementSibling.hidden=false}
}})()`;

/** The same for a page that lists coming events alone. */
export const comingScript = `(()=>{
for(const one of document.querySelectorAll("[data-ends]"))if(Date.parse(one.dataset.ends)<=Date.now()){
const list=one.parentElement;
one.remove();if(!list.children.length)list.closest("section").remove()
}})()`;
