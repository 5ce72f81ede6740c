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

/** Icons of notifications, as markup of the icon set inlined by the build. */
const icons = { alert, bell, calendar, check, clock, close, info, offline, phone, ticket };
export type IconName = keyof typeof icons;

const svg = "http://www.w3.org/2000/svg";

/** Creates an icon element by element: Trusted Types forbid markup, and public pages have no React. An unknown name gives the bell. */
export function drawIcon(name: string): SVGSVGElement {
  const icon = document.createElementNS(svg, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("class", "icon");
  icon.setAttribute("aria-hidden", "true");
  const source = Object.entries(icons).find(([key]) => key === name)?.[1] ?? icons.bell;
  for (const [, tag = "", attributes = ""] of source.matchAll(/<(path|circle|rect|line)\b([^>]*)>/g)) {
    const shape = document.createElementNS(svg, tag);
    for (const [, key = "", value = ""] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) shape.setAttribute(key, value);
    icon.append(shape);
  }
  return icon;
}
