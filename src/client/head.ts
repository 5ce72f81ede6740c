import { addressLists } from "../api/address.ts";
import { goodsInfo } from "../api/goods.ts";
import { mallOrderInfo, mallPayCode, packageOrderInfo, packagePayCode } from "../api/order.ts";
import { mark } from "../api/tab-storage.ts";
import { type Here, matchRoute, type RouteName } from "../routes.ts";

// The head's own scripts, as text: they run before anything is painted, so they stand in the HTML and are hashed for the CSP.

/**
 * Empties a tab's name unless it holds what this tab stored: anybody who opens a tab can name it, and not every host sends the opener policy that clears it.
 * The storage must refuse to take it, and the page must come from one of ours, or be reloaded or returned to; where the browser knows what it is returned from, that must be ours too.
 * A name that is longer than what we put there does not make a storage refuse.
 */
const ownName = `own=back=>{if(name)try{localStorage.setItem("TAB",name.slice(0,4096));localStorage.removeItem("TAB");name=""}catch{
const t=performance.getEntriesByType("navigation")[0]?.type;
if(back||t==="back_forward"?window.navigation?.activation?.from===null:t!=="reload"&&!document.referrer.startsWith(location.origin+"/"))name=""}}`;

const goods = [addressLists, goodsInfo];
/** The calls of a member's page whose payload, if any, is the last part of its path: what it is for cannot be known before their answers. */
const earlyCalls: Partial<Record<RouteName, readonly { method: string; path: string }[]>> = {
  order: [mallOrderInfo, mallPayCode],
  userOrder: [packageOrderInfo, packagePayCode],
  orderConfirm: goods,
  orderBak: goods,
};

/** Sends these calls at once, side by side, instead of after the page's modules; the API's client takes the answers over by call, payload and token. */
function earlyAsks(name: RouteName | undefined): string {
  const calls = (name && earlyCalls[name]) ?? [];
  if (calls.length === 0) return "";
  const list = calls.map(({ method, path }) => [path, method === "GET" ? 0 : 1]);
  const key = name === "order" || name === "userOrder" ? "order_sn" : "goods_uid";
  return `const part=/[\\w-]+$/.exec(location.pathname);
if(had&&part)for(const [path,post] of ${JSON.stringify(list)}){
const body=post?JSON.stringify({${key}:part[0]}):undefined,answer=fetch("${import.meta.env.PUBLIC_API_ORIGIN ?? ""}"+path,{method:post?"POST":"GET",body,
headers:{"Content-Type":"application/json","device-type":"web",token:had,"Accept-Language":d.lang},signal:AbortSignal.timeout(15e3)});
answer.catch(()=>{});
(window.earlyAnswers??={})[path+body+had]=answer}`;
}

/** Colour mode, the member's mark, and login for pages that need a session. A page that the browser kept is loaded anew when it was kept from somebody else. */
const beforePaint = (name: RouteName | undefined) => `(()=>{
const d=document.documentElement;let had;
const ${ownName},
get=k=>{try{const v=localStorage.getItem(k);if(v!==null)return v}catch{}try{return JSON.parse(name.slice(${mark.length}))[k]}catch{}},
check=back=>{own(back);const t=get("TOKEN")||"";let u;try{u=JSON.parse(get("USER_INFO"))}catch{}
d.toggleAttribute("data-token",!!t);d.toggleAttribute("data-member",!!(t&&u?.id));d.toggleAttribute("data-inactive",u?.activated===false);
if(d.hidden=!t&&d.dataset.session!==undefined){location.replace(d.dataset.session+"?redirect="+encodeURIComponent(location.pathname.replace(/^\\/(zh-CN|en-US)(?=\\/|$)/,"")+location.search))}
else if(d.hidden=!!back&&t!==had)location.reload();
had=t};
check();
const m=get("COLOR_MODE");
if(d.dataset.forced===undefined&&(m==="light"||m==="dark"))d.dataset.theme=m;
addEventListener("pageshow",e=>{if(e.persisted)check(1)});
${earlyAsks(name)}
})()`;

/** On "/" alone: a visitor whose cookie says en-US reads English. */
const homeLanguage = `if(location.pathname==="/"&&/(?:^|; )locale=en-US/.test(document.cookie))location.replace("/en-US"+location.search+location.hash)`;

/**
 * The one handler of failures nobody caught. It must stand first, since a script that never arrives cannot report itself.
 * A missing chunk with a newer build reloads at most once per path in 10 s; anything else shows the frame's notice with its reload button.
 * The browser rejects promises of its own where it cuts a view transition short: that is no failure of the page.
 */
const failures = `(()=>{
const d=document,
show=e=>{const n=d.getElementById("failure");
if(!n)return d.addEventListener("DOMContentLoaded",()=>show(e),{once:true});
n.hidden=false;n.querySelector("button").onclick=()=>location.reload();
${import.meta.env.DEV ? 'n.querySelector("pre").textContent=e?.stack||e' : ""}},
chunk=async e=>{const k="RELOADED "+location.pathname;let newer,last;
try{newer=(await(await fetch("/build.json",{cache:"no-store"})).json()).code!==d.querySelector("meta[name=build]").content;last=+sessionStorage.getItem(k);sessionStorage.setItem(k,Date.now())}catch{newer=false}
newer&&Date.now()-last>1e4?location.reload():show(e)},
ours=e=>e&&!["AbortError","Refused","Unreachable"].includes(e.name),
cut=e=>e instanceof DOMException&&/transition/i.test(e.message);
addEventListener("error",e=>{const t=e.target;
if(t instanceof HTMLScriptElement){if(t.src.startsWith(location.origin))chunk(t.src)}
else if(e.filename?.startsWith(location.origin)&&ours(e.error))show(e.error)},true);
addEventListener("unhandledrejection",e=>cut(e.reason)?e.preventDefault():ours(e.reason)&&show(e.reason));
addEventListener("vite:preloadError",e=>chunk(e.payload));
addEventListener("astro:hydration-error",e=>{e.preventDefault();chunk(e.detail.error)});
})()`;

/** One script, as each has its hash in the policy. */
export function headScripts({ prefix, path }: Here): string {
  const all = [failures, beforePaint(matchRoute(path)?.name), prefix === "" && path === "/" ? homeLanguage : ""];
  return all.filter(Boolean).join(";\n");
}
