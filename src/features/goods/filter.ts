import { getCardSize } from "./card.ts";

/** Runs before the grid: a page that paints while it streams shows no items of other categories. */
export const hideGridScript = `location.search&&document.documentElement.classList.add("filtering")`;

/**
 * Shows the items of the category in the URL, and three others where it has none; without this script all are shown. It is inline text that runs before the grid
 * is painted, so that a filtered page never shows the rest first. The event `mall:changed` runs it again on other items.
 */
export const filterScript = `(()=>{
const d=document,byId=id=>d.getElementById(id),grid=byId("shelf"),passes=byId("passes"),getSize=${getCardSize},
apply=()=>{
const kind=new URLSearchParams(location.search).get("category")||"",onlyPackages=kind==="passes",
isLoading=grid.ariaBusy==="true"||!byId("failed").hidden,
isEmpty=!isLoading&&!grid.querySelector("[data-good]")&&!passes.querySelector("[data-pass]:not([hidden])");
const shown=[];
for(const card of grid.querySelectorAll("[data-good]")){card.hidden=!!kind&&card.dataset.category!==kind;if(!card.hidden)shown.push(card)}
const count=shown.length;
passes.hidden=!passes.querySelector("[data-pass]:not([hidden])")||!!kind&&!onlyPackages;
byId("rest").hidden=!kind||onlyPackages||count<1||count>4;
byId("bare").hidden=!isEmpty;
byId("kinds").hidden=isEmpty;
const isNone=count<1&&!isEmpty&&!isLoading&&(passes.hidden||!onlyPackages&&!!kind);
byId("none").hidden=!isNone;
if(isNone)for(const card of[...grid.querySelectorAll("[data-good]")].slice(0,3)){card.hidden=false;shown.push(card)}
shown.forEach((card,index)=>card.dataset.size=getSize(index,shown.length));
for(const a of byId("kinds").children)a.dataset.kind===kind?a.setAttribute("aria-current","page"):a.removeAttribute("aria-current")};
apply();
d.documentElement.classList.remove("filtering");
addEventListener("mall:changed",apply);
addEventListener("popstate",apply);
d.addEventListener("click",e=>{
const link=e.target.closest("a[data-kind]");
if(!link||e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;
e.preventDefault();
if(link.href!==location.href)history.pushState(null,"",link.href);
apply();scrollTo(0,0)});
})()`;
