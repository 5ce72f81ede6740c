import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { directives, getSiteOrigin, toOrigins } from "#src/build/content-security-policy.ts";
import { findTags } from "#src/build/html.ts";
import { finishPage } from "#tests/support/content/finish-page.ts";

const sha = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;
const finish = (html: string, api = "") => finishPage(html, { origins: { api, pictures: [], statistics: null } });
const inHead = (head: string, body = "<p>x</p>") =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;
const directive = (policy: string, name: string) => policy.split("; ").find((part) => part.startsWith(`${name} `));

it("the view transitions of a page name each poster only once", async () => {
  const picture = (name: string, index: number) => `<img src="/${index}" data-transition="${name}" alt="">`;
  const { html } = await finish(inHead("", ["e-one", "e-two", "e-one"].map(picture).join("")));
  const pictures = findTags(html).filter(({ name }) => name === "img");
  expect(pictures.map(({ attributes }) => attributes.get("data-transition"))).toEqual(["e-one", "e-two", undefined]);
  expect(html).toContain('<img src="/2" alt="">');
});

describe("the content security policy of a page", () => {
  it("depends only on scripts and styles, not on the text", async () => {
    expect((await finish(inHead("", "<p>one</p>"))).policy).toBe((await finish(inHead("", "<p>two</p>"))).policy);
  });

  it("has one hash for all styles", async () => {
    const styles = "<p>x</p><b>y</b><style>b{margin:0}</style>";
    const { html, policy } = await finish(inHead("<style>p{color:red}</style>", styles));
    expect(html).toContain("<style>p{color:red}\nb{margin:0}</style>");
    expect(directive(policy, "style-src")?.match(/sha256/g)).toHaveLength(1);
  });

  it("makes the build fail on an inline script that neither Astro nor a page has recorded", async () => {
    const page = inHead("<script>a();</script>");
    await expect(finishPage(page, { scripts: new Set() })).rejects.toThrow("has not written the inline script a();");
    const policy = `<meta http-equiv="content-security-policy" content="script-src 'self' ${sha("a();")}">`;
    const finished = await finishPage(inHead(`${policy}<script>a();</script>`), { scripts: new Set() });
    expect(directive(finished.policy, "script-src")).toBe(`script-src 'self' ${sha("a();")}`);
    expect(finished.html.match(/content-security-policy/g)).toHaveLength(1);
  });

  it("ignores data blocks, external scripts, comments, and text that looks like a script", async () => {
    const { policy } = await finish(
      inHead(
        `<script type="application/json">{"a":1}</script><script type="module" src="/a.js"></script>`,
        `<!-- <script>no()</script> --><textarea><script>no()</script></textarea><p title="<script>no()</script>">`,
      ),
    );
    expect(directive(policy, "script-src")).toBe("script-src 'self'");
  });

  it("hashes speculation rules with line breaks normalized as in browsers", async () => {
    const rules = (end: string) => `{${end}"prefetch":[]}`;
    const { policy } = await finish(inHead(`<script type="speculationrules">${rules("\r\n")}</script>`));
    expect(policy).toContain(sha(rules("\n")));
  });

  it("allows an API of another origin", async () => {
    const { policy } = await finish(inHead(""), "https://api.example");
    expect(directive(policy, "connect-src")).toBe("connect-src 'self' https://api.example");
  });

  it.each([
    `<p style="color:red">`,
    `<button onclick="x()">`,
    `<img src="x" onerror='x()'>`,
    `<svg onload=x()>`,
    "<p style=x>",
  ])("makes the build fail on %s", async (tag) => {
    await expect(finish(inHead("", tag))).rejects.toThrow("the policy forbids");
  });

  it.each([`<p data-style="x" title='style="x"'>`, `<a href="/?style=1&onload=2">`, "<button>on style=</button>"])(
    "accepts %s",
    async (tag) => {
      expect((await finish(inHead("", tag))).html).toContain(tag);
    },
  );
});

describe("the scripts of a page", () => {
  it("load with low priority when they are external modules", async () => {
    const { html } = await finish(inHead("", `<script type="module" src="/a.js"></script><script async src="/b.js"></script>`));
    expect(html).toContain(
      `<script fetchpriority="low" type="module" src="/a.js"></script><script async src="/b.js"></script>`,
    );
  });
});

describe("the islands of a page", () => {
  it("have ids that do not depend on the order in which they were rendered", async () => {
    const toPage = (...prefixes: string[]) =>
      inHead(
        "",
        prefixes
          .map((prefix) => {
            const field = `<label for="_${prefix}R_0_">x</label><input id="_${prefix}R_0_" aria-describedby="a _${prefix}R_1_">`;
            return `<astro-island prefix="${prefix}" opts="{}" props="{}">${field}</astro-island>`;
          })
          .join(""),
      );
    const expected = (await finish(toPage("r0", "r1"))).html;
    expect((await finish(toPage("r6", "r1"))).html).toBe(expected);
    expect((await finish(toPage("r1", "r0"))).html).toBe(expected);
    expect(expected).toContain(`prefix="r1" opts="{}" props="{}"><label for="_r1R_0_">`);
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
