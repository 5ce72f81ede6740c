import { matchRoute, toCampaignPage } from "#src/routes.ts";
import { decodeUrl } from "./decode-url.ts";
import type { Markdown } from "./markup.ts";
import { listPublicPaths } from "./public-files.ts";
import type { Kind } from "./schema/kinds.ts";
import { getFacts, getText, type Shop, type ShopEntry } from "./shop.ts";
import { isReserved } from "./shop-files.ts";

// Rules between the files of a shop. Each returns sentences: `<file>: <field>: <what is wrong>`.

/** A shop whose files may have faults of their own. */
export type ShopParts = Omit<Shop, "site" | "unusedFiles" | "remarks"> & {
  site: Shop["site"] | null;
  /** The ids of each kind, with those of files that have faults. */
  ids: Record<Kind, ReadonlySet<string>>;
};

/** A text's Markdown, parsed; `line` is the first of the body. */
export interface ParsedBody {
  file: string;
  body: string;
  line: number;
  markdown: Markdown;
}

const firstFile = <Data>(entry: ShopEntry<Data>) => getText(entry, "zh-CN").file;
const quote = (ids: Iterable<string>) => {
  const [first = "", ...rest] = ids;
  return rest.length > 0 ? `${first} or ${rest[0]}` : first;
};

/** Returns what is wrong between files that are each right. */
export function findRuleFaults(shop: ShopParts, bodies: readonly ParsedBody[]): string[] {
  return [
    ...findMissingPages(shop),
    ...findReferenceFaults(shop),
    ...findReservedAliases(shop),
    ...findAddressFaults(shop),
    ...findSkuFaults(shop),
    ...findPromiseFaults(shop),
    ...findLinkFaults(shop, bodies),
  ];
}

/** Pages that login and footer link to. */
function findMissingPages({ ids }: ShopParts): string[] {
  return ["terms", "privacy"]
    .filter((id) => !ids.about.has(id))
    .map(
      (id) =>
        `about/${id}: is missing: login and footer link to it; it has title, summary and updated, such as: about/${id}/index.zh-CN.md`,
    );
}

function findReferenceFaults({ news, site, ids }: ShopParts): string[] {
  const check = (kind: "event" | "campaign", id: string | undefined, where: string) =>
    id === undefined || ids[kind].has(id)
      ? []
      : [
          `${where}: is ${id}, but there is no folder ${kind}/${id}; a ${kind === "event" ? "show" : "tour"}'s folder stands here, such as: ${quote(ids[kind])}`,
        ];
  return [
    ...news.flatMap((entry) => {
      const { event, campaign } = getFacts(entry);
      const file = firstFile(entry);
      return [...check("event", event, `${file}: event`), ...check("campaign", campaign, `${file}: campaign`)];
    }),
    ...check("event", site?.["zh-CN"].plan?.event, "site.yaml: plan, event"),
  ];
}

interface Named {
  aliases?: string[] | undefined;
}

/** Old addresses precede pages. */
function findReservedAliases(shop: ShopParts): string[] {
  return (["event", "news", "goods", "package", "campaign"] as const).flatMap((kind) => {
    const entries: readonly ShopEntry<Named>[] = shop[kind];
    return entries.flatMap((entry) =>
      (getFacts(entry).aliases ?? [])
        .filter((alias) => isReserved(kind, alias))
        .map(
          (alias) =>
            `${firstFile(entry)}: aliases: has ${alias}, which is the address of another page; a former folder's name stands here, such as: [old-name]`,
        ),
    );
  });
}

/** Shows and campaigns share `/event/<id>`. */
function findAddressFaults({ event, campaign, news, goods, package: packages }: ShopParts): string[] {
  const groups: (readonly ShopEntry<Named>[])[] = [[...event, ...campaign], news, goods, packages];
  return groups.flatMap((entries) => {
    const files = new Map<string, string>();
    const faults: string[] = [];
    const toPage = (entry: ShopEntry<Named>, id: string) => (campaign.some((one) => one === entry) ? toCampaignPage(id) : id);
    for (const entry of entries) {
      const page = toPage(entry, entry.id);
      const other = files.get(page);
      if (other)
        faults.push(
          `${firstFile(entry)}: has the id of ${other}, and both would stand at /event/${page}: rename one of the folders`,
        );
      files.set(page, firstFile(entry));
    }
    for (const entry of entries) {
      for (const alias of getFacts(entry).aliases ?? []) {
        const page = toPage(entry, alias);
        const other = files.get(page);
        if (other)
          faults.push(
            `${firstFile(entry)}: aliases: has ${alias}, which is an id or alias of ${other}: leave it out of one of them`,
          );
        else files.set(page, firstFile(entry));
      }
    }
    return faults;
  });
}

/** A SKU's uid is `<id>-<sku>`, or the id of an item without variants. */
function findSkuFaults({ goods }: ShopParts): string[] {
  const owners = new Map<string, string>();
  return goods.flatMap((entry) => {
    const { skus } = getFacts(entry);
    return (skus ? skus.map(({ sku }) => `${entry.id}-${sku}`) : [entry.id]).flatMap((uid) => {
      const owner = owners.get(uid);
      owners.set(uid, firstFile(entry));
      return owner && owner !== firstFile(entry)
        ? [`${firstFile(entry)}: skus: make the SKU ${uid}, which ${owner} makes too: rename one of them`]
        : [];
    });
  });
}

function findPromiseFaults({ event, package: packages, ids }: ShopParts): string[] {
  // A show that cannot be read may be the one.
  if (event.length < ids.event.size) return [];
  // Advice names shows that are cancelled or over: that day comes for each, and the shop goes on.
  const levels = event.flatMap((entry) => {
    const { draft, booking } = getFacts(entry);
    return draft ? [] : (booking?.early?.map(({ level }) => level) ?? []);
  });
  return packages.flatMap((entry) => {
    const { rights, level } = getFacts(entry);
    const index = rights.findIndex(({ kind }) => kind === "early_booking");
    if (index < 0 || levels.some((early) => early <= level)) return [];
    return [
      `${firstFile(entry)}: rights ${index + 1}, kind: is early_booking, but no show opens early for level ${level} or below; a show's booking says so, such as: early: [{level: ${level}, opens_at: 2027-01-10T12:00+08:00}]`,
    ];
  });
}

function findLinkFaults(shop: ShopParts, bodies: readonly ParsedBody[]): string[] {
  const { ids } = shop;
  const pages: Partial<Record<string, { kind: string; ids: Set<string> }>> = {
    event: { kind: "event", ids: listIds([ids.event, ids.campaign], shop.event, shop.campaign) },
    news: { kind: "news", ids: listIds([ids.news], shop.news) },
    item: { kind: "goods", ids: listIds([ids.goods], shop.goods) },
    vip: { kind: "package", ids: listIds([ids.package], shop.package) },
  };
  const files = listPublicPaths(shop.folder);
  return bodies.flatMap(({ file, line: bodyLine, markdown }) =>
    markdown.links.flatMap(({ line, url }) => {
      const fault = checkLink(url);
      return fault ? [`${file}:${bodyLine + line - 1}: the link ${url} ${fault}`] : [];
    }),
  );

  function checkLink(url: string): string | null {
    if (/^([a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(url)) return null;
    const [path = ""] = url.split(/[?#]/);
    if (!path.startsWith("/")) return "must begin with / or https://, such as: /event/entrance";
    if (files.has(decodeUrl(path))) return null;
    const match = matchRoute(path.length > 1 ? path.replace(/\/$/, "") : path);
    if (!match) return "leads to no page; pages of the shop are such as: /event/entrance, /news, /mall";
    const page = pages[match.name];
    const id = Object.values(match.params)[0] ?? "";
    if (!page || page.ids.has(id)) return null;
    return `leads to no page: there is no folder ${page.kind}/${id}${page.ids.size > 0 ? `, but ${quote(page.ids)}` : ""}`;
  }
}

const listIds = (ids: readonly ReadonlySet<string>[], ...groups: (readonly ShopEntry<Named>[])[]) =>
  new Set([...ids.flatMap((group) => [...group]), ...groups.flat().flatMap((entry) => getFacts(entry).aliases ?? [])]);
