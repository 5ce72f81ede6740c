import bell from "~icons/lucide/bell?raw";
import calendar from "~icons/lucide/calendar?raw";
import check from "~icons/lucide/check?raw";
import clock from "~icons/lucide/clock?raw";
import info from "~icons/lucide/info?raw";
import phone from "~icons/lucide/smartphone?raw";
import ticket from "~icons/lucide/ticket?raw";
import alert from "~icons/lucide/triangle-alert?raw";
import offline from "~icons/lucide/wifi-off?raw";
import close from "~icons/lucide/x?raw";

/** What a notification may show, as the icon set's own markup, taken in while building. */
const icons = { alert, bell, calendar, check, clock, close, info, offline, phone, ticket };
export type IconName = keyof typeof icons;

const svg = "http://www.w3.org/2000/svg";

/** Draws an icon element by element: trusted types allow no markup, and readers' pages have no React. The name may come from anywhere. */
export function drawIcon(name: string): SVGSVGElement {
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "i");
  picture.setAttribute("aria-hidden", "true");
  const source = Object.entries(icons).find(([known]) => known === name)?.[1] ?? icons.bell;
  for (const [, tag = "", attributes = ""] of source.matchAll(/<(path|circle|rect|line)\b([^>]*)>/g)) {
    const shape = document.createElementNS(svg, tag);
    for (const [, key = "", value = ""] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) shape.setAttribute(key, value);
    picture.append(shape);
  }
  return picture;
}
