import { locales } from "../../i18n/locale.ts";
import { addressLists } from "../api/address.ts";
import { requestHeaders } from "../api/envelope.ts";
import { goodsInfo } from "../api/goods.ts";
import { mallOrderInfo, mallPayCode, packageOrderInfo, packagePayCode } from "../api/order.ts";
import { mark } from "../api/tab-storage.ts";
import { latestLcp } from "../lib/page-lifecycle.ts";
import { draftSizes, widths } from "../lib/picture.ts";
import { type Here, matchRoute, type RouteName } from "../routes.ts";

// Inline scripts of the head, as text: they run before the first paint, and the CSP holds their hash.

/**
 * Clears `window.name` unless this tab stored it: any opener can set it, and not every static host sends the opener policy that clears it.
 * It stays only if localStorage refuses a write and the page was reached from our origin, by a reload, or by history navigation that did not start at a foreign page.
 * `type` is a variable of the script. The test write is cut to 4,096 characters, so that a long name does not exceed the quota.
 */
const clearForeignName = `clearName=back=>{if(name)try{localStorage.setItem("TAB",name.slice(0,4096));localStorage.removeItem("TAB");name=""}catch{
if(back||type==="back_forward"?window.navigation?.activation?.from===null:type!=="reload"&&!document.referrer.startsWith(location.origin+"/"))name=""}}`;

const checkoutCalls = [addressLists, goodsInfo];
/** Calls that a member's page needs before it can show anything; the last segment of the path is the payload, if the call has one. */
const earlyCalls: Partial<Record<RouteName, readonly { method: string; path: string }[]>> = {
  order: [mallOrderInfo, mallPayCode],
  userOrder: [packageOrderInfo, packagePayCode],
  orderConfirm: checkoutCalls,
  orderBak: checkoutCalls,
};

/** Puts the pay code into the skeleton of an order's page, which React replaces by the order with the same code. */
const paintPayCode = `({data:c})=>{const q=document.getElementById("early-code");if(q&&c.image){q.src=c.image;q.classList.remove("skeleton");q.previousSibling.hidden=!c.link}}`;

/** Puts the item's picture into the skeleton of a checkout, in the widths of `toSrcset`. React replaces it by the same picture in the same place. */
const paintPicture = `({data:{info:{images:[c]}}})=>{const i=document.getElementById("early-picture"),[,f,l]=/^(\\/p.+\\/)(\\d+)\\.webp$/.exec(c.url)??[];
if(f)i.sizes="${draftSizes}",i.srcset=[${widths}].filter(w=>w<=l*.8).concat(l).map(w=>f+w+".webp "+w+"w").join();i.src=c.url}`;

/** Sends these calls in parallel before the page's modules load. `send` takes the responses from `earlyResponses`, by path, payload and token. */
function earlyCallsScript(name: RouteName | undefined): string {
  const calls = (name && earlyCalls[name]) ?? [];
  if (calls.length === 0) return "";
  const requests = calls.map(({ method, path }) => [path, method === "GET" ? 0 : 1]);
  const isOrder = name === "order" || name === "userOrder";
  const key = isOrder ? "order_sn" : "goods_uid";
  // `previousToken` and `d.lang` are variables of the script.
  const headers = JSON.stringify({ "Content-Type": "application/json", ...requestHeaders("previousToken", "d.lang") });
  return `const part=/[\\w-]+$/.exec(location.pathname);
if(previousToken&&part)for(const [path,post] of ${JSON.stringify(requests)}){
const body=post?JSON.stringify({${key}:part[0]}):undefined,response=fetch("${import.meta.env.PUBLIC_API_ORIGIN ?? ""}"+path,{method:post?"POST":"GET",body,
headers:${headers.replace(/"(previousToken|d\.lang)"/g, "$1")},signal:AbortSignal.timeout(15e3)});
response.then(r=>r.clone().json()).then(${isOrder ? paintPayCode : paintPicture}).catch(()=>{});
(window.earlyResponses??={})[path+body+previousToken]=response}`;
}

/**
 * Applies the colour mode; marks the page for a member with the initial of the name, and opens the login on pages that need a session. A page restored from the back/forward cache reloads if the session changed.
 * `data-before-lcp` marks a page that a reader comes to from elsewhere until its LCP image has painted: what would delay that comes afterwards. A page that opens at a place of its own, by a reload, the history, a hash or a text fragment (of which only `url` tells), is laid out as a whole at once.
 */
const beforePaintScript = (name: RouteName | undefined) => `(()=>{
const d=document.documentElement;let previousToken;
const {type,name:url}=performance.getEntriesByType("navigation")[0]??{},
${clearForeignName},
get=k=>{try{const v=localStorage.getItem(k);if(v!==null)return v}catch{}try{return JSON.parse(name.slice(${mark.length}))[k]}catch{}},
check=back=>{clearName(back);const t=get("TOKEN")||"";let u;try{u=JSON.parse(get("USER_INFO"))}catch{}
d.toggleAttribute("data-token",!!t);d.toggleAttribute("data-member",!!(t&&u?.id));d.toggleAttribute("data-inactive",u?.activated===false);
d.style.setProperty("--me",'"'+(/\\p{L}|\\d/u.exec(u?.nickname)||"")+'"');
if(d.hidden=!t&&d.dataset.session!==undefined){location.replace(d.dataset.session+"?redirect="+encodeURIComponent(location.pathname.replace(/^\\/(${locales.join("|")})(?=\\/|$)/,"")+location.search))}
else if(d.hidden=!!back&&t!==previousToken)location.reload();
previousToken=t};
check();
d.toggleAttribute("data-before-lcp",type==="navigate"&&!/#/.test(location.hash+url)&&!document.referrer.startsWith(location.origin+"/"));
setTimeout(()=>d.removeAttribute("data-before-lcp"),${latestLcp});
const m=get("COLOR_MODE");
if(d.dataset.forced===undefined&&(m==="light"||m==="dark"))d.dataset.theme=m;
addEventListener("pageshow",e=>{if(e.persisted)check(1)});
${earlyCallsScript(name)}
})()`;

/** On "/" only: redirects a visitor with the cookie `locale=en-US` to the English page. */
const homeLanguageScript = `if(location.pathname==="/"&&/(?:^|; )locale=en-US/.test(document.cookie))location.replace("/en-US"+location.search+location.hash)`;

/**
 * Handles uncaught errors. It stands first: a script that fails to load cannot report itself.
 * A missing chunk of an older build reloads the page, at most once per path in 10 s; any other error shows the page's notice with its reload button.
 * Rejections of view transitions that the browser skips are ignored.
 */
const failureScript = `(()=>{
const d=document,
show=e=>{const n=d.getElementById("failure");
if(!n)return d.addEventListener("DOMContentLoaded",()=>show(e),{once:true});
n.hidden=false;n.querySelector("button").onclick=()=>location.reload();
${import.meta.env.DEV ? 'n.querySelector("pre").textContent=e?.stack||e' : ""}},
chunk=async e=>{const k="RELOADED "+location.pathname;let newer,last;
try{newer=(await(await fetch("/build.json",{cache:"no-store"})).json()).code!==d.querySelector("meta[name=build]").content;last=+sessionStorage.getItem(k);sessionStorage.setItem(k,Date.now())}catch{newer=false}
newer&&Date.now()-last>1e4?location.reload():show(e)},
isOwnError=e=>e&&!["AbortError","ApiError","CallNetworkError"].includes(e.name),
isSkippedTransition=e=>e instanceof DOMException&&/transition/i.test(e.message);
addEventListener("error",e=>{const t=e.target;
if(t instanceof HTMLScriptElement){if(t.src.startsWith(location.origin))chunk(t.src)}
else if(e.filename?.startsWith(location.origin)&&isOwnError(e.error))show(e.error)},true);
addEventListener("unhandledrejection",e=>isSkippedTransition(e.reason)?e.preventDefault():isOwnError(e.reason)&&show(e.reason));
addEventListener("vite:preloadError",e=>chunk(e.payload));
addEventListener("astro:hydration-error",e=>{e.preventDefault();chunk(e.detail.error)});
})()`;

/** Remembers the last button that was pressed in an island before its runtime came. */
const pressScript = `addEventListener("click",self.recordPress=e=>{recordPress.button=e.target.closest("astro-island [type=button]")??recordPress.button},!0)`;

/** Returns the head's scripts as one, as the CSP holds one hash per script. */
export function headScripts({ prefix, path }: Here): string {
  const scripts = [
    failureScript,
    beforePaintScript(matchRoute(path)?.name),
    pressScript,
    prefix === "" && path === "/" ? homeLanguageScript : "",
  ];
  return scripts.filter(Boolean).join(";\n");
}
