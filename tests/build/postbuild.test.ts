import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prefixes } from "#i18n/locale.ts";
import { toHash } from "#src/build/content-security-policy.ts";
import { hostingFiles } from "#src/build/hosting/hosting.ts";
import { findNameFault, listPublicFiles, publicFolder } from "#src/content/public-files.ts";
import { toRedirects } from "#src/layouts/redirects.ts";
import { builtFiles, builtPages, dist, sendRaw } from "#tests/support/content/site.ts";
import {
  cloudflarePages,
  isWithoutNginx,
  type Nginx,
  readDocumentedNginx,
  startNginx,
} from "#tests/support/hosting/web-servers.ts";

const files = builtFiles();
const pages = builtPages();
const read = (file: string) => readFileSync(join(dist, file));
const json = (file: string): Record<string, unknown> => JSON.parse(read(file).toString());

describe("content security policies", () => {
  const { policies, pages: indexes }: { policies: string[]; pages: Record<string, number> } = JSON.parse(
    read(".hosting/headers.json").toString(),
  );

  it("are in the headers file and first in the head of every page", () => {
    for (const { file, html, tags } of pages) {
      const header = policies[indexes[file] ?? -1] ?? "";
      const meta = tags.find(({ attributes }) => attributes.get("http-equiv") === "content-security-policy");
      const policy = meta?.attributes.get("content") ?? "";
      expect(header, file).toBe(`${policy}; frame-ancestors 'none'`);
      const isInline = (tag: (typeof tags)[number]) =>
        /^(script|style)$/.test(tag.name) && tag.text && !/json/.test(tag.attributes.get("type") ?? "");
      const hashes = tags.filter(isInline).map(({ text }) => `'${toHash(text ?? "")}'`);
      expect(policy.match(/'sha256-[^']+'/g)?.sort(), file).toEqual([...new Set(hashes)].sort());
      expect(html, file).toContain(`<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">`);
    }
  });

  it("allow the site's own worker on every page, and its own manifest on every page that names one", () => {
    for (const { file, tags } of pages) {
      const policy = policies[indexes[file] ?? -1] ?? "";
      const hasManifest = tags.some(({ name, attributes }) => name === "link" && attributes.get("rel") === "manifest");
      expect(policy.match(/(?<=; )(worker|manifest)-src [^;]*/g), file).toEqual([
        "worker-src 'self'",
        ...(hasManifest ? ["manifest-src 'self'"] : []),
      ]);
      expect(policy, file).toMatch(/; trusted-types worker;/);
    }
    expect(pages.some(({ html }) => html.includes('rel="manifest"'))).toBe(true);
  });

  it("allow nothing unsafe and no foreign origin", () => {
    for (const policy of policies) {
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(policy).toContain("require-trusted-types-for 'script'");
    }
  });
});

it("brotli files exist for every text that gets smaller, with the same content", () => {
  const texts = files.filter(
    (file) => /\.(html|js|css|svg|json|xml|txt)$/.test(file) && !file.startsWith(".") && file !== "build.json",
  );
  expect(texts.length).toBeGreaterThan(10);
  for (const file of texts) {
    const packed = `${file}.br`;
    if (!files.includes(packed)) expect(statSync(join(dist, file)).size, file).toBeLessThan(400);
    else expect(brotliDecompressSync(read(packed)).equals(read(file)), file).toBe(true);
  }
});

describe("the build manifest", () => {
  it("has the ids of the build and of the code", () => {
    const { id, code, built_at } = json("build.json");
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(code).toMatch(/^[0-9a-f]{16}$/);
    expect(Date.parse(String(built_at))).toBeLessThanOrEqual(Date.now());
  });

  it("has an id that hashes every public file", () => {
    const all = createHash("sha256");
    const [own = [], ...older]: string[][] = JSON.parse(read(".hosting/chunks.json").toString());
    const isOlder = (file: string) => older.flat().includes(file) && !own.includes(file);
    for (const file of files) {
      if (isOlder(file.replace("_astro/", ""))) continue;
      if (file.startsWith(".") || file.endsWith(".br") || ["build.json", "_headers", "_redirects"].includes(file)) continue;
      if (!statSync(join(dist, file)).isFile()) continue;
      all.update(`${file}\0${createHash("sha256").update(read(file)).digest("hex")}\0`);
    }
    expect(json("build.json").id).toBe(all.digest("hex").slice(0, 16));
  });

  it("has the code id that every page has in its meta tag", () => {
    const { code } = json("build.json");
    for (const { file, html } of pages) {
      expect(html, file).not.toContain("%CODE_HASH%");
      expect(html, file).toContain(`<meta name="build" content="${code}">`);
    }
  });
});

it("the editor is no part of a site", () => {
  expect(files.filter((file) => /editor|sveltia|admin/i.test(file))).toEqual([]);
  const texts = files.filter((file) => /\.(html|js|json|css)$/.test(file));
  expect(texts.filter((file) => /sveltia/i.test(read(file).toString()))).toEqual([]);
});

const ownFiles = listPublicFiles(publicFolder);

describe("files that are served as they are", () => {
  it("are in the build, those in folders with a dot included, with a security.txt of RFC 9116", () => {
    expect(ownFiles).toContain(".well-known/security.txt");
    for (const file of ownFiles) expect(read(file).equals(readFileSync(join(publicFolder, file))), file).toBe(true);
    const [, contact = "", expires = ""] =
      /^Contact: (\S+)$\n^Expires: (\S+)$/m.exec(read(".well-known/security.txt").toString()) ?? [];
    expect(URL.canParse(contact)).toBe(true);
    expect(Date.parse(expires)).not.toBeNaN();
  });

  it("can have no name that a file of the build has", () => {
    const isOwn = (file: string) => ownFiles.includes(file.replace(/\.br$/, ""));
    const built = files.filter((file) => statSync(join(dist, file)).isFile() && !isOwn(file));
    expect(built.length).toBeGreaterThan(300);
    expect(built.filter((file) => findNameFault(file) === null)).toEqual([]);
  });
});

describe("hosting files", () => {
  it("are generated from the route table", () => {
    for (const [file, text] of Object.entries(hostingFiles(files, toRedirects([]), () => {}, ownFiles)))
      expect(read(file).toString()).toBe(text);
  });

  it("hide no page on Cloudflare Pages, where rules precede files", () => {
    const own = files.filter((file) => statSync(join(dist, file)).isFile());
    const cloudflare = cloudflarePages(read(".hosting/cloudflare/_redirects").toString(), own);
    expect(cloudflare.rejected).toEqual([]);
    const shown = pages.filter(({ path }) => path !== "/" && !/\/[45]\d\d$/.test(path));
    expect(shown.filter(({ path, file }) => cloudflare.resolve(path) !== `/${file}`).map(({ path }) => path)).toEqual([]);
    expect(cloudflare.resolve("/mall/item/unknown")).toBe("/mall/item/_.html");
  });

  it("rewrite only to existing pages", () => {
    const rewrites = read("_redirects").toString().trim().split("\n");
    for (const rule of rewrites) {
      const [, to = "", status] = rule.split(" ");
      // A file of a redirect may be one of the API server's icons, and what is below a prefix any page.
      const targets = status === "404" ? [to.slice(1)] : [`${to.slice(1)}.html`, to.slice(1)];
      if (!to.endsWith("/:splat"))
        expect(
          targets.some((file) => files.includes(file)),
          rule,
        ).toBe(true);
    }
  });

  it("keep _astro/ on GitHub Pages", () => {
    expect(files).toContain(".nojekyll");
  });

  it("have a 404 page for each prefix", () => {
    for (const prefix of prefixes) expect(files).toContain(`${prefix}/404.html`.replace(/^\//, ""));
  });
});

/** Returns the scripts that hold a text. */
const findScripts = (text: string) =>
  files.filter((file) => /^_astro\/.*\.js$/.test(file) && read(file).toString().includes(text));

describe("islands", () => {
  it("list existing dependencies that the page does not preload, and React is never preloaded", () => {
    const withIslands = pages.filter(({ tags }) => tags.some(({ name }) => name === "astro-island"));
    const hasReact = (urls: string[]) => urls.some((url) => /\/react\./.test(url));
    expect(withIslands.length).toBeGreaterThan(0);
    for (const { file, tags } of withIslands) {
      const islands = tags.filter(({ name }) => name === "astro-island").map(({ attributes }) => attributes);
      const deps = islands.map((one) => one.get("data-deps")?.split(" ") ?? []);
      const ahead = tags.flatMap(({ name, attributes }) =>
        name === "link" && attributes.get("rel") === "modulepreload" ? (attributes.get("href") ?? "") : [],
      );
      expect([deps.every(hasReact), hasReact(ahead)], file).toEqual([true, false]);
      for (const url of [...ahead, ...deps.flat()]) expect(files).toContain(url.slice(1));
      const twice = deps.flat().filter((url) => ahead.includes(url));
      expect(twice, file).toEqual([]);
      expect(new Set(ahead).size, file).toBe(ahead.length);
      expect(ahead.length > 0, file).toBe(islands.some((one) => one.get("opts")?.includes('"now"')));
    }
  });

  it("are no part of what draws a notification, so that it needs no React", () => {
    const regions = files.filter((file) => /\/live-region\.[\w-]+\.js$/.test(file));
    expect(regions).toHaveLength(1);
    for (const file of regions) expect(read(file).toString()).not.toMatch(/"\.\/(react|island)\./);
  });

  it("are started by one shared script, and inline on public pages with a form", () => {
    const started = pages.flatMap(({ file, html, tags }) => {
      if (!tags.some(({ name }) => name === "astro-island")) return [];
      const members = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-session"));
      const shared = /<script async src="\/(_astro\/islands\.[\w-]+\.js)">/.exec(html)?.[1] ?? null;
      const hasForm = tags.some(({ name, attributes }) => name === "form" && attributes.get("role") !== "search");
      expect(shared !== null, file).toBe(members || !hasForm);
      expect(html, file).toContain("recordPress=");
      return shared ? [shared] : [];
    });
    expect(new Set(started).size).toBe(1);
    expect(files).toContain(started[0]);
  });

  it("contain no server-only parts of the contract in their scripts", () => {
    expect(findScripts("/v1/mall/createOrder")).toHaveLength(1);
    expect(findScripts("errors:[")).toEqual([]);
    // The pattern of client_request_id, which only payload schemas contain.
    expect(findScripts("{8,64}")).toEqual([]);
  });

  it("have React in a chunk of its own", () => {
    expect(findScripts("Minified React error")).toEqual([expect.stringMatching(/\/react\./)]);
  });
});

describe.skipIf(isWithoutNginx())("the whole build behind nginx", { tags: ["full"] }, () => {
  let nginx: Nginx;
  let http: number;
  beforeAll(async () => {
    http = await getPort();
    // What Debian's nginx.conf sets, and a charset for other sites, are outside the site's block.
    const others = "gzip on;\ncharset gbk;\n";
    nginx = await startNginx(
      (https) => others + readDocumentedNginx("/.hosting/nginx.conf", { https, http }, { "/srv/shop/dist": dist }),
    );
  });
  afterAll(() => nginx?.stop());

  it("leads from port 80 to the same address over HTTPS", async () => {
    const { status, headers } = await sendRaw(http, "/en-US/news?a=/b", { host: "shop.example" });
    expect([status, headers.location]).toEqual([308, "https://shop.example/en-US/news?a=/b"]);
  });

  it("serves every page at its URL, byte for byte", async () => {
    const other: string[] = [];
    for (const { path, html } of builtPages().filter((page) => !/\/[45]\d\d$/.test(page.path))) {
      const { status, body } = await sendRaw(nginx.port, path);
      if (status !== 200 || body.toString() !== html) other.push(`${path}: ${status}`);
    }
    expect(other).toEqual([]);
  });

  it("serves every other file under its name with its content type", async () => {
    const files = builtFiles().filter((file) => /\.\w+$/.test(file) && !/^\.|\.(html|br)$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    const other: string[] = [];
    for (const file of files) {
      const { status, headers, body } = await sendRaw(nginx.port, `/${file}`);
      const isSame = status === 200 && body.equals(readFileSync(join(dist, file)));
      if (!isSame || /octet-stream|html/.test(headers["content-type"] ?? "")) other.push(`${file}: ${status}`);
    }
    expect(other).toEqual([]);
  });
});
