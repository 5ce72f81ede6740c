import type { Organization, WebSite } from "schema-dts";
import { frame } from "#i18n/frame.ts";
import type { SiteData } from "#src/content/shop.ts";
import { type Here, link } from "#src/routes.ts";
import { type PageFacts, toUrl } from "./structured-data.ts";

export interface NavItem {
  name: "home" | "event" | "mall" | "news" | "user";
  href: string;
  label: string;
  current: boolean;
  /** In the tab bar only: the header has its own link. */
  tabOnly?: boolean;
}

/** Returns the items of the main navigation, in the visitor's prefix. */
export function getNavItems({ prefix, locale, path }: Here): NavItem[] {
  const t = frame[locale];
  const isUnder = (start: string) => path === start || path.startsWith(`${start}/`);
  // Seats of events are booked under /mall, where orders of goods stand too.
  const isEvent = isUnder("/event") || isUnder("/mall/order_event");
  const isOrder = isUnder("/mall/order") && !isUnder("/mall/order/confirm");
  return [
    { name: "home", href: link(prefix, "home"), label: t.home, current: path === "/" },
    { name: "event", href: link(prefix, "eventList"), label: t.events, current: isEvent },
    { name: "mall", href: link(prefix, "mall"), label: t.mall, current: isUnder("/mall") && !isEvent && !isOrder },
    { name: "news", href: link(prefix, "newsList"), label: t.news, current: isUnder("/news") },
    { name: "user", href: link(prefix, "userInfo"), label: t.me, current: isUnder("/user") || isOrder, tabOnly: true },
  ];
}

// Contact and registrations of the shop; what is not set is not shown.

export interface OperatorLink {
  text: string;
  /** Null for plain text. */
  href: string | null;
}

interface Records {
  icp?: string | undefined;
  security_record?: string | undefined;
}

/** Returns the registration numbers that a site in China must show, each with a link to its register. */
export function getRegistrations({ icp = "", security_record = "" }: Records): OperatorLink[] {
  const security = security_record.trim();
  // 京公网安备 11010502030143号: the register's URL takes the digits.
  const code = security.replace(/\D/g, "");
  const register = "https://beian.mps.gov.cn/";
  return [
    { text: icp.trim(), href: "https://beian.miit.gov.cn/" },
    { text: security, href: code ? `${register}#/query/webSearch?code=${code}` : register },
  ].filter(({ text }) => text);
}

/** Returns the lines of the contact, none when it is not set: a mail address, phone number or URL becomes a link. */
export function getContacts({ contact = "" }: { contact?: string | undefined }): OperatorLink[] {
  const lines = contact.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map(toContact);
}

function toContact(text: string): OperatorLink {
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return { text, href: text };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { text, href: `mailto:${text}` };
  return { text, href: /^\+?[\d][\d ()-]{4,}$/.test(text) ? `tel:${text.replace(/[^\d+]/g, "")}` : null };
}

/** Describes the operator and the site, for the home page. */
export function describeSite(page: PageFacts, site: SiteData): [Organization, WebSite] {
  const { brand, title, description, social = [] } = site;
  const links = getContacts(site).map(({ href }) => /^(mailto|tel):(.*)$/.exec(href ?? ""));
  const [, scheme, address] = links.find(Boolean) ?? [];
  const accounts = social.flatMap(({ url }) => (url.startsWith("https:") ? [url] : []));
  const id = toUrl(page, "/#organization");
  return [
    {
      "@type": "Organization",
      "@id": id,
      name: brand,
      url: page.origin.href,
      logo: toUrl(page, "/icon.svg"),
      ...(accounts.length > 0 && { sameAs: accounts }),
      ...(scheme && { contactPoint: { "@type": "ContactPoint", [scheme === "tel" ? "telephone" : "email"]: address } }),
    },
    {
      "@type": "WebSite",
      name: title,
      alternateName: brand,
      description,
      url: page.url,
      inLanguage: page.locale,
      publisher: { "@id": id },
    },
  ];
}
