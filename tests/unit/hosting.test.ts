import { describe, expect, it } from "vitest";
import { prefixes, withPrefix } from "#i18n/locale.ts";
import { hostingFiles } from "#src/build/hosting/hosting.ts";
import { toRedirects } from "#src/layouts/redirects.ts";
import { getShell } from "#src/routes.ts";
import { cloudflarePages } from "#tests/support/hosting/web-servers.ts";

const files = hostingFiles([]);

it("have an empty .nojekyll, without which GitHub Pages leaves out _astro/", () => {
  expect(files[".nojekyll"]).toBe("");
});

describe("rewrite rules of static hosts", () => {
  it("serve the same shell for a URL as the server does", () => {
    const rules = (files._redirects?.trim().split("\n") ?? []).map((line) => line.split(" "));
    const rewrites = rules.filter(([, , status]) => status === "200");
    expect(rewrites.length % prefixes.length).toBe(0);
    for (const [from = "", to] of rewrites) expect(getShell(from.replace(/:\w+/, "M123"))).toBe(to);
    for (const prefix of prefixes) {
      expect(rewrites).toContainEqual([
        withPrefix(prefix, "/mall/order/:order_sn"),
        withPrefix(prefix, "/mall/order/_"),
        "200",
      ]);
    }
  });

  it("have the 404 page of the URL's language last, but for prefixes in another case", () => {
    const [, last = ""] = files._redirects?.split("/zh-CN/* /zh-CN/404.html 404\n/en-US/* /en-US/404.html 404\n") ?? [];
    const others = last.trim().split("\n");
    expect(others).toHaveLength(8);
    for (const rule of others) expect(rule).toMatch(/^\/(zh-cn\/\* \/zh-CN|en-us\/\* \/en-US)\/:splat 301$/i);
    expect(new Set(others).size).toBe(8);
  });
});

describe("headers of static hosts", () => {
  it("forbid frames on every path, revalidate what names the present build and cache hashed assets forever", () => {
    expect(files._headers).toMatch(/^\/\*\n {2}Content-Security-Policy: frame-ancestors 'none'\n/);
    for (const path of ["build.json", "sw.js", "search/*"])
      expect(files._headers).toContain(`/${path}\n  Cache-Control: no-cache\n`);
    const immutable = "public, max-age=31536000, immutable";
    const [, folders = ""] = /location ~ "\^\/\(\?:(\S+)\)\/" \{[^}]*immutable/.exec(files[".hosting/nginx.conf"] ?? "") ?? [];
    for (const folder of ["_astro", "pictures", "cards", "audio", "search-index"]) {
      expect(files._headers).toContain(`/${folder}/*\n  Cache-Control: ${immutable}`);
      expect(folders.split("|")).toContain(folder);
    }
  });

  it.each(["_headers", ".hosting/cloudflare/_headers"])("in %s let other sites show cards, pictures and icons", (file) => {
    const before = file === "_headers" ? "" : "  ! Cross-Origin-Resource-Policy\n";
    const rules = (files[file] ?? "").split(/\n(?=\/)/);
    const shared = rules.filter((rule) => rule.endsWith(`${before}  Cross-Origin-Resource-Policy: cross-origin`));
    expect(shared.map((rule) => rule.split("\n")[0])).toEqual(["/pictures/*", "/cards/*", "/icons/*", "/icon.svg"]);
  });

  it("name the type of web app manifests, which not every host knows", () => {
    expect(files._headers).toContain("/*.webmanifest\n  Content-Type: application/manifest+json");
    expect(files[".hosting/nginx.conf"]).toContain("types { application/manifest+json webmanifest; }");
  });
});

const withPrefixes = (...paths: string[]) => paths.flatMap((path) => prefixes.map((prefix) => withPrefix(prefix, path)));
const goods = (count: number) => Array.from({ length: count }, (_, n) => `/mall/item/goods-${n}`);
const shells = [
  ...["/mall/item/_", "/mall/vip/_", "/mall/order/_", "/mall/order/confirm/_", "/mall/order_bak/_", "/mall/order_event/_"],
  "/user/order/_",
];
const others = ["/404", "/news", "/news/knobs", "/user/order/list", "/mall", "/mall/item/vinyl", "/mall/vip/listener"];
const toFiles = (...paths: string[]) => ["index.html", ...withPrefixes(...paths).map((path) => `${path.slice(1)}.html`)];
const builtFiles = toFiles(...shells, ...others);
/** Returns Cloudflare's rules and what they leave out. */
function rulesFor(built: string[], redirects: Record<string, string> = {}) {
  const warnings: string[] = [];
  const all = hostingFiles(built, redirects, (message) => warnings.push(message));
  return { rules: all[".hosting/cloudflare/_redirects"] ?? "", warnings };
}

describe("the redirect rules for Cloudflare Pages", () => {
  const pages = cloudflarePages(rulesFor(builtFiles).rules, builtFiles);

  it.each([
    ["/mall/item/new", "/mall/item/_"],
    ["/mall/vip/new", "/mall/vip/_"],
    ["/mall/order/M2601010101010000ABCD", "/mall/order/_"],
    ["/mall/order/confirm/vinyl", "/mall/order/confirm/_"],
    ["/mall/order_bak/vinyl", "/mall/order_bak/_"],
    ["/mall/order_event/listener", "/mall/order_event/_"],
    ["/user/order/M1", "/user/order/_"],
  ])("rewrite %s to %s under each prefix", (path, shell) => {
    for (const prefix of prefixes) expect(pages.resolve(withPrefix(prefix, path))).toBe(`${withPrefix(prefix, shell)}.html`);
  });

  it("leave slashes, .html and the localized 404 page to Cloudflare", () => {
    expect(pages.resolve("/news/")).toBe("308 /news");
    expect(pages.resolve("/news.html")).toBe("308 /news");
    expect(pages.resolve("/nowhere/at/all")).toBe("404 /404.html");
    expect(pages.resolve("/en-US/nowhere")).toBe("404 /en-US/404.html");
  });

  it.each([
    ["/mall/item/vinyl/", "301 /mall/item/vinyl"],
    ["/mall/item/vinyl.html", "301 /mall/item/vinyl"],
    ["/mall/order/M1/", "301 /mall/order/M1"],
    ["/mall/order/M1.html", "301 /mall/order/M1"],
    ["/mall/order/confirm/vinyl/", "301 /mall/order/confirm/vinyl"],
    ["/user/order/list.html", "301 /user/order/list"],
  ])("redirect %s, which a placeholder would match, under each prefix", (path, redirect) => {
    const [status, to = ""] = redirect.split(" ");
    for (const prefix of prefixes) expect(pages.resolve(withPrefix(prefix, path))).toBe(`${status} ${withPrefix(prefix, to)}`);
  });

  it("give a missing picture no shell", () => {
    expect(pages.resolve("/mall/item/a.jpg")).toBe("404 /404.html");
    expect(pages.resolve("/en-US/user/order/a.b.c")).toBe("404 /en-US/404.html");
  });

  it("redirect a prefix in another case", () => {
    expect(pages.rejected).toEqual([]);
    for (const [from, to] of [
      ["/en-us", "/en-US"],
      ["/ZH-CN/news", "/zh-CN/news"],
      ["/En-us/mall/item/new", "/en-US/mall/item/new"],
    ] as const)
      expect(pages.resolve(from)).toBe(`301 ${to}`);
    expect(pages.resolve("/zh-CN/news")).toBe("/zh-CN/news.html");
  });

  it("stay within the rule limit with 700 items, and built pages are still served", () => {
    const many = toFiles(...shells, ...others, ...goods(700));
    const { rules, warnings } = rulesFor(many);
    const large = cloudflarePages(rules, many);
    expect(warnings).toEqual([expect.stringMatching(/2000 rules: items and passes .* are a 404/)]);
    expect(large.rejected).toEqual([]);
    for (const path of withPrefixes(...goods(700), "/user/order/list")) expect(large.resolve(path)).toBe(`${path}.html`);
    expect(large.resolve("/mall/order/M1")).toBe("/mall/order/_.html");
    expect(large.resolve("/mall/item/new")).toBe("404 /404.html");
  });
});

describe("addresses of ids that have changed", () => {
  const redirects = toRedirects([
    { kind: "event", id: "entrance", aliases: ["door", "gate"] },
    { kind: "goods", id: "vinyl", aliases: ["record"] },
    { kind: "package", id: "listener", aliases: ["pass-a"] },
    { kind: "campaign", id: "spring", aliases: ["first-tour"] },
    { kind: "news", id: "knobs", aliases: [] },
  ]);
  const moved = hostingFiles(builtFiles, redirects);

  it("lead to the present one under each prefix, with the pages that sell it", () => {
    expect(redirects).toMatchObject({
      "/event/door": "/event/entrance",
      "/zh-CN/event/gate": "/zh-CN/event/entrance",
      "/en-US/mall/order_event/door": "/en-US/mall/order_event/entrance",
      "/calendar/en-US/gate.ics": "/calendar/en-US/entrance.ics",
      "/en-US/mall/item/record": "/en-US/mall/item/vinyl",
      "/mall/order_bak/record": "/mall/order_bak/vinyl",
      "/mall/vip/pass-a": "/mall/vip/listener",
      "/event/first-tour": "/event/spring-tour",
      // Browsers request it for pages without a link to an icon.
      "/favicon.ico": "/icons/192.png",
      "/user": "/user/info",
      "/zh-CN/user/order": "/zh-CN/user/order/list",
      "/en-US/mall/order": "/en-US/user/order/list",
    });
    expect(Object.keys(redirects).filter((path) => path.includes("/news/"))).toEqual([]);
  });

  it("come before the shells on Netlify and Cloudflare Pages", () => {
    expect(moved._redirects?.indexOf("/mall/item/record /mall/item/vinyl 301\n")).toBeLessThan(
      moved._redirects?.indexOf("/mall/item/:uid") ?? -1,
    );
    const pages = cloudflarePages(moved[".hosting/cloudflare/_redirects"] ?? "", builtFiles);
    expect(pages.rejected).toEqual([]);
    expect(pages.resolve("/mall/item/record")).toBe("301 /mall/item/vinyl");
    expect(pages.resolve("/mall/item/vinyl")).toBe("/mall/item/vinyl.html");
  });

  it("leave room for the built pages under the rule limit", () => {
    const many = toRedirects([{ kind: "news", id: "knobs", aliases: Array.from({ length: 900 }, (_, n) => `old-${n}`) }]);
    const { rules, warnings } = rulesFor(builtFiles, many);
    const pages = cloudflarePages(rules, builtFiles);
    expect(pages.rejected).toEqual([]);
    expect(pages.resolve("/mall/item/vinyl")).toBe("/mall/item/vinyl.html");
    expect(warnings).toEqual([expect.stringMatching(/2000 rules: \d+ of 8130 redirects/)]);
  });

  it("redirect at once when they end with a slash or .html", () => {
    const { rules, warnings } = rulesFor(builtFiles, redirects);
    const pages = cloudflarePages(rules, builtFiles);
    for (const [from, to] of Object.entries(redirects))
      for (const end of ["", "/", ".html"]) expect(pages.resolve(from + end)).toBe(`301 ${to}`);
    expect(warnings).toEqual([]);
    expect(moved._redirects).toContain("/event/door.html /event/entrance 301\n");
  });
});
