import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Chunks } from "../../src/build/chunks.ts";
import { directives, getSiteOrigin, toOrigins } from "../../src/build/content-security-policy.ts";
import { toSum } from "../../src/build/files.ts";
import { applyEdits, editTags, findTags } from "../../src/build/html.ts";
import { namesPrefix, processPage, removePrefix } from "../../src/build/page.ts";
import { createRenderer } from "../../src/build/render/renderer.ts";

const sha = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const finish = (html: string, api = "") => processPage(html, new Chunks(), { api, pictures: [], statistics: null });
const inHead = (head: string, body = "<p>x</p>") =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;
const directive = (policy: string, name: string) => policy.split("; ").find((part) => part.startsWith(`${name} `));

describe("the view transitions of a page", () => {
  it("name each poster only once", () => {
    const picture = (name: string, index: number) => `<img src="/${index}" data-transition="${name}" alt="">`;
    const { html } = finish(inHead("", ["e-one", "e-two", "e-one"].map(picture).join("")));
    const pictures = findTags(html).filter(({ name }) => name === "img");
    expect(pictures.map(({ attributes }) => attributes.get("data-transition"))).toEqual(["e-one", "e-two", undefined]);
    expect(html).toContain('<img src="/2" alt="">');
  });
});

describe("the content security policy of a page", () => {
  it("contains the hashes of its own inline scripts and styles only", () => {
    const { html, policy } = finish(
      inHead("<script>a();</script><style>p{color:red}</style>", "<p>x</p><script>b();</script>"),
    );
    expect(directive(policy, "script-src")?.split(" ").sort()).toEqual(
      ["script-src", "'self'", sha("a();"), sha("b();")].sort(),
    );
    expect(directive(policy, "style-src")).toBe(`style-src 'self' ${sha("p{color:red}")}`);
    expect(directive(policy, "default-src")).toBe("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(html).toContain(`<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><script>`);
  });

  it("depends only on scripts and styles, not on the text", () => {
    expect(finish(inHead("", "<p>one</p>")).policy).toBe(finish(inHead("", "<p>two</p>")).policy);
  });

  it("has one hash for adjacent scripts, merged and minified, and one for all styles", () => {
    const { html, policy } = finish(
      inHead(
        "<style>p{color:red}</style>",
        "<p>x</p><style>p{margin:0}</style><script>a()</script><script>b()</script><p>y</p>",
      ),
    );
    expect(html).toContain("<p>x</p><script>a(),b();</script><p>y</p>");
    expect(directive(policy, "script-src")).toBe(`script-src 'self' ${sha("a(),b();")}`);
    expect(directive(policy, "style-src")?.match(/sha256/g)).toHaveLength(1);
  });

  it("ignores data blocks, external scripts, comments, and text that looks like a script", () => {
    const { policy } = finish(
      inHead(
        `<script type="application/json">{"a":1}</script><script type="module" src="/a.js"></script>`,
        `<!-- <script>no()</script> --><textarea><script>no()</script></textarea><p title="<script>no()</script>">`,
      ),
    );
    expect(directive(policy, "script-src")).toBe("script-src 'self'");
  });

  it("hashes speculation rules with line breaks normalized as in browsers", () => {
    const rules = (end: string) => `{${end}"prefetch":[]}`;
    const { policy } = finish(inHead(`<script type="speculationrules">${rules("\r\n")}</script>`));
    expect(policy).toContain(sha(rules("\n")));
  });

  it("allows an API of another origin", () => {
    const { policy } = finish(inHead(""), "https://api.example");
    expect(directive(policy, "connect-src")).toBe("connect-src 'self' https://api.example");
  });

  it.each([
    `<p style="color:red">`,
    `<button onclick="x()">`,
    `<img src="x" onerror='x()'>`,
    `<svg onload=x()>`,
    "<p style=x>",
  ])("makes the build fail on %s", (tag) => {
    expect(() => finish(inHead("", tag))).toThrow("the policy forbids");
  });

  it.each([`<p data-style="x" title='style="x"'>`, `<a href="/?style=1&onload=2">`, "<button>on style=</button>"])(
    "accepts %s",
    (tag) => {
      expect(finish(inHead("", tag)).html).toContain(tag);
    },
  );
});

describe("the scripts of a page", () => {
  it("load with low priority when they are external modules", () => {
    const { html } = finish(inHead("", `<script type="module" src="/a.js"></script><script async src="/b.js"></script>`));
    expect(html).toContain(
      `<script fetchpriority="low" type="module" src="/a.js"></script><script async src="/b.js"></script>`,
    );
  });
});

describe("the styles of a page", () => {
  it("are merged into one element in order, without unused rules", () => {
    const { html, css } = finish(
      inHead("<style>.a{color:red}p{color:var(--x)}</style><title>t</title><style>html{--x:1}.b{color:red}</style>"),
    );
    expect(html).toContain("<style>p{color:var(--x)}html{--x:1}</style><title>t</title></head>");
    expect(css.after).toBeLessThan(css.before);
  });

  it("leave no empty element behind", () => {
    expect(finish(inHead("<style>.a{color:red}</style>")).html).not.toContain("<style");
  });
});

describe("the HTML scanner", () => {
  it("parses attributes with quotes and angle brackets", () => {
    const [tag] = findTags(`<a class='x "y"' title="a > b &amp; c" data-x=1 hidden>`);
    expect([...(tag?.attributes ?? [])]).toEqual([
      ["class", 'x "y"'],
      ["title", "a > b & c"],
      ["data-x", "1"],
      ["hidden", ""],
    ]);
  });

  it("knows the tags of an edited page without reading it again", () => {
    const html = `<p class="a">x</p><script src="/b.js"></script><i></i><style>c{}</style>`;
    const toTexts = (tags: ReturnType<typeof findTags>) => tags.map((tag) => [tag.name, [...tag.attributes], tag.text]).sort();
    const [p, script, i, style] = findTags(html);
    if (!p || !script || !i || !style) throw new Error("a tag is missing");
    const edits = [
      { start: 0, end: 0, text: "<b>" },
      { start: script.start, end: i.end, text: `<script>d()</script><u id="e">` },
      { start: style.start, end: style.end, text: "" },
    ];
    expect(toTexts(editTags(findTags(html), edits))).toEqual(toTexts(findTags(applyEdits(html, edits))));
    expect(() => editTags(findTags(html), [{ start: p.start + 3, end: p.end, text: ">" }])).toThrow("a part of <p>");
  });

  it("applies edits independently of their order", () => {
    expect(
      applyEdits("abcdef", [
        { start: 4, end: 5, text: "" },
        { start: 1, end: 1, text: "-" },
        { start: 2, end: 3, text: "CC" },
      ]),
    ).toBe("a-bCCdf");
  });
});

describe("the content security policy", () => {
  it("allows no foreign origin by default", () => {
    expect(directives(toOrigins({})).join("; ")).not.toMatch(/https?:|statistics/);
  });

  it("allows the configured origins of API and statistics", () => {
    const all = directives(
      toOrigins({
        PUBLIC_API_ORIGIN: "https://api.example",
        PUBLIC_STATISTICS_SCRIPT: "https://count.example/script.js?id=1",
        PUBLIC_STATISTICS_ORIGINS: "https://a.example/path, https://b.example",
      }),
    );
    expect(all).toContain("connect-src 'self' https://api.example https://count.example https://a.example https://b.example");
    expect(all).toContain("trusted-types statistics worker");
  });

  it("allows only pictures from the configured picture origins", () => {
    const all = directives(toOrigins({ PUBLIC_PICTURE_ORIGINS: "https://img.example,https://cdn.example:8443" }));
    expect(all).toContain("img-src 'self' data: https://img.example https://cdn.example:8443");
    expect(all.filter((one) => one.includes("example"))).toHaveLength(1);
    expect(() => toOrigins({ PUBLIC_PICTURE_ORIGINS: "https://img.example/pictures" })).toThrow("PUBLIC_PICTURE_ORIGINS");
  });

  it.each(["PUBLIC_STATISTICS_SCRIPT", "PUBLIC_STATISTICS_ORIGINS"])("rejects %s when it is not a URL", (name) => {
    expect(() => toOrigins({ PUBLIC_STATISTICS_SCRIPT: "https://count.example/x.js", [name]: "count.js" })).toThrow(name);
  });

  it.each([
    [{ PUBLIC_SITE_ORIGIN: "https://shop.example", PORT: "4391" }, "https://shop.example"],
    [{ PUBLIC_SITE_ORIGIN: "", PORT: "4391" }, "http://localhost:4391"],
    [{ PORT: "0" }, "http://localhost:4321"],
    [{}, "http://localhost:4321"],
  ])("with %j the site's own origin is %s", (env, origin) => {
    expect(getSiteOrigin(env)).toBe(origin);
  });

  it.each(["PUBLIC_API_ORIGIN", "PUBLIC_SITE_ORIGIN"])("rejects %s when it is not a bare origin", (name) => {
    for (const value of ["api.example", "https://api.example/", "https://api.example/v1", "ftp:"])
      expect(() => toOrigins({ [name]: value })).toThrow(name);
    expect(() => toOrigins({ [name]: "https://api.example:8443" })).not.toThrow();
  });
});

describe("a Chinese page without prefix", () => {
  /** Makes pages of one component in both prefixes, and returns what is in the files without prefix, and what Astro has rendered. */
  async function makePages(draw: (pathname: string) => string, ids: string[], hasPlainLinks = true) {
    const dist = mkdtempSync(join(tmpdir(), "pages-"));
    onTestFinished(() => rmSync(dist, { recursive: true }));
    const rendered: string[] = [];
    const app = {
      manifest: { routes: [] },
      setInternals: () => undefined,
      setOptions: () => undefined,
      getSettings: () => ({ scripts: [] }),
      render: async ({ url }: Request) => {
        rendered.push(new URL(url).pathname);
        return new Response(inHead("", draw(new URL(url).pathname)));
      },
    };
    const render = createRenderer(app, dist, { chunks: [], code: "", sheets: new Map(), hasPlainLinks });
    const toOrder = (path: string) => ({ url: `https://a.example/${path}`, route: "/", component: "a", file: `${path}.html` });
    for (const id of ids) {
      const { page, twin } = await render({ ...toOrder(`zh-CN/${id}`), id: 0, twin: toOrder(id) });
      const sum = toSum(readFileSync(join(dist, `${id}.html`)));
      expect(twin).toEqual({ ...page, sum });
    }
    return { files: ids.map((id) => /<p>.*<\/p>/.exec(readFileSync(join(dist, `${id}.html`), "utf8"))?.[0]), rendered };
  }
  const drawLink = (pathname: string) => `<p><a href="${pathname.replace(/\/[^/]*$/, "")}/next">${pathname.slice(-1)}</a></p>`;

  it("is made of the one with prefix, once the first of its component has shown to be the same", async () => {
    const { files, rendered } = await makePages(drawLink, ["1", "2", "3"]);
    expect(files).toEqual(["1", "2", "3"].map((id) => `<p><a href="/next">${id}</a></p>`));
    expect(rendered).toEqual(["/zh-CN/1", "/1", "/zh-CN/2", "/zh-CN/3"]);
  });

  it("is rendered where the component draws another one, and where a text of the shop has the prefix", async () => {
    const draw = (pathname: string) => `<p>${pathname.startsWith("/zh-CN/") ? "with" : "without"}</p>`;
    expect((await makePages(draw, ["1", "2"])).files).toEqual(["<p>without</p>", "<p>without</p>"]);
    const drawText = (pathname: string) => (pathname.endsWith("1") ? drawLink(pathname) : '<p><a href="/zh-CN/next">x</a></p>');
    expect((await makePages(drawText, ["1", "2"], false)).files[1]).toBe('<p><a href="/zh-CN/next">x</a></p>');
  });

  it("differs in links alone", () => {
    expect(removePrefix('<a href="/zh-CN"><form action="/zh-CN/search">')).toBe('<a href="/"><form action="/search">');
    expect(removePrefix('<link href="/zh-CN.webmanifest">')).toBe('<link href="/zh-CN.webmanifest">');
    expect(removePrefix('<a href="/zh-CN#x"><a href="/feed/zh-CN.xml">')).toBe('<a href="/#x"><a href="/feed/zh-CN.xml">');
    for (const part of ['{"prefix":"/zh-CN"}', '<a data-x="/zh-CN/x">', "<p>/zh-CN/x</p>", '<a href="/calendar/zh-CN/x.ics">'])
      expect(removePrefix(part), part).toBeNull();
    expect(["(/zh-CN/low)", '<a href="/zh-CN">', '"https://shop.example/zh-CN/low"'].filter(namesPrefix)).toHaveLength(3);
    for (const id of ['"privacy/zh-CN",{"id":34', "/feed/zh-CN.xml"]) expect(namesPrefix(id), id).toBe(false);
  });
});
