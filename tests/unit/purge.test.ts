import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Chunks } from "../../src/build/chunks.ts";
import { ClassNames } from "../../src/build/class-names.ts";
import { findTags } from "../../src/build/html.ts";
import { processPage } from "../../src/build/page.ts";
import { purge } from "../../src/build/purge/purge.ts";
import { collectUsedNames } from "../../src/build/purge/selectors.ts";

const purged = (css: string, html: string, ...code: string[]) => purge(css, collectUsedNames(findTags(html), code));

describe("purging unused rules", () => {
  it.each([
    ["a class", ".a{color:red}.b{color:red}", `<p class="x a">`, ".a{color:red}"],
    ["an id", "#a{color:red}#b{color:red}", `<p id="b">`, "#b{color:red}"],
    ["an element", "p{color:red}td{color:red}", "<p>", "p{color:red}"],
    ["an attribute", "[open]{color:red}[hidden]{color:red}", "<p hidden>", "[hidden]{color:red}"],
    ["each selector of a list", ".a,.b p,p .c{color:red}", `<p class="b">`, ".b p{color:red}"],
    ["a compound", ".a.b{color:red}.a.c{color:red}", `<p class="a"><p class="b">`, ".a.b{color:red}"],
    ["alternatives", ":is(.a,.b){color:red}:where(.b,.c)>p{color:red}", `<p class="a">`, ":is(.a,.b){color:red}"],
    [
      "all tints as light as one that is used",
      ".tint-d0{color:red}.tint-d1{color:red}.tint-l1{color:blue}.tint{color:red}",
      `<p class="tint-d0">`,
      ".tint-d0{color:red}.tint-d1{color:red}",
    ],
    ["no tints when none is used", ".tint-d0{color:red}.tint-l1{color:blue}", `<p class="tint">`, ""],
    ["what is excluded", "p:not(.a){color:red}", "<p>", "p:not(.a){color:red}"],
    ["has", "p:has(.a){color:red}p:has(b){color:red}", "<p><b>", "p:has(b){color:red}"],
    ["universal selectors", "*,::before{color:red}:root{color:red}", "<p>", "*,::before{color:red}:root{color:red}"],
    ["escaped names", ".md\\:w-1\\/2{color:red}.\\[\\&_b\\]\\:x b{color:red}", `<b class="md:w-1/2 [&amp;_b]:x">`, null],
    ["a name that begins with a digit", ".\\32xl{color:red}", `<b class="2xl">`, null],
    ["parts that only inputs have", "::placeholder{color:red}", "<p>", ""],
    ["parts of inputs", "::placeholder{color:red}", "<input>", null],
    ["nested rules", ".a{color:red;&:hover{color:blue}&.b{color:blue}}", `<p class="a">`, ".a{color:red;&:hover{color:blue}}"],
    [
      "conditions left empty",
      "@media print{.b{color:red}}@layer x{@supports (a:b){.b{c:d}}}.a{color:red}",
      `<p class="a">`,
      ".a{color:red}",
    ],
    ["the order of layers", "@layer a,b;@layer b{.a{color:red}}", `<p class="a">`, null],
  ])("handles %s", (_, css, html, expected) => {
    expect(purged(css, html)).toBe(expected ?? css);
  });
});

describe("names that scripts add to a page", () => {
  const css =
    ".late{color:red}[data-open]{color:red}dialog{color:red}[disabled]{color:red}.never{color:red}.M2{color:red}.tint-d0{color:red}.tint-g1{color:red}";
  it.each([
    ["classes in strings", `e.classList.add("late")`, ".late{color:red}"],
    ["classes among others", "x(`flex late\nrow`)", ".late{color:red}"],
    ["elements", `h("dialog",{})`, "dialog{color:red}"],
    ["properties as attributes", "h(B,{disabled:e})", "[disabled]{color:red}"],
    ["data attributes", "e.dataset.open=1", "[data-open]{color:red}"],
    ["every tint, as code puts their names together", "x=`tint-`+y", ".tint-d0{color:red}.tint-g1{color:red}"],
    ["no class with a name that begins the shape of an icon", "x={d:`M2 9a3 3 0 0 1 0 6`}", ""],
  ])("keep %s", (_, code, expected) => {
    expect(purged(css, "<p>", code)).toBe(expected);
    expect(purged(css, `<script>${code}</script>`)).toBe(expected);
  });

  it("keep classes in island props and data attributes", () => {
    expect(purged(css, `<astro-island props="{&quot;c&quot;:[0,&quot;late x&quot;]}">`)).toBe(".late{color:red}");
    expect(purged(css, `<p data-toggle="late">`)).toBe(".late{color:red}");
  });

  it("do not come from comments, text, or what describes a picture or a page", () => {
    expect(purged(css, `<!-- <p class="late"> --><title>dialog</title> late`)).toBe("");
    expect(purged(css, `<img alt="never late" title="late"><meta content="late">`)).toBe("");
    expect(purged(css, `<script type="application/ld+json">{"name":"late"}</script>`)).toBe("");
  });
});

describe("purging referenced declarations", () => {
  it("keeps custom properties that are used, also indirectly", () => {
    const css = ":root,i{--a:var(--b);--b:1px;--c:var(--a)}p{margin:var(--a)}";
    expect(purged(css, "<p>")).toBe(":root{--a:var(--b);--b:1px}p{margin:var(--a)}");
    expect(purged(css, "<b>")).toBe("");
  });

  it("keeps custom properties that scripts or SVG attributes use", () => {
    const css = ":root{--a:1px;--b:2px}";
    expect(purged(css, "<p>", `e.style.setProperty("--a",1)`)).toBe(":root{--a:1px}");
    expect(purged(css, `<path fill="var(--b)">`)).toBe(":root{--b:2px}");
    expect(purged(css, `<style>${css}</style>`)).toBe("");
  });

  it("keeps used keyframes and their custom properties", () => {
    const css = "@keyframes in{to{margin:var(--a)}}@keyframes out{to{margin:0}}:root,i{--a:1px}p{animation:in 1s}";
    expect(purged(css, "<p>")).toBe("@keyframes in{to{margin:var(--a)}}:root{--a:1px}p{animation:in 1s}");
    expect(purged(css, "<b>")).toBe("");
  });

  it("keeps keyframes named by a custom property", () => {
    const css = ":root,p{--spin:spin 1s}@keyframes spin{to{rotate:1turn}}p{animation:var(--spin)}";
    expect(purged(css, "<p>")).toBe(css);
  });

  it("puts the values of custom properties that are set once, for the whole page, into their places", () => {
    const once = "@layer a{:root{--a:1px;--b:calc(var(--a)*2)}}p{margin:var(--a)var(--b);padding:calc(1rem + var(--a))}";
    expect(purged(once, "<p>")).toBe("@layer a{:root{--b:calc(1px*2)}}p{margin:1px var(--b);padding:calc(1rem + 1px)}");
    for (const again of ["p{--a:2px}", "@media print{:root{--a:2px}}", "@layer b{:root{--a:2px}}"]) {
      const css = `:root{--a:1px}p{margin:var(--a)}${again}`;
      expect(purged(css, "<p>")).toBe(css);
    }
    expect(purged("@media print{:root{--a:1px}}p{margin:var(--a)}", "<p>")).toContain("var(--a)");
    expect(purged(":root{--a:1px}p{margin:var(--a)}", "<p>", `e.style.margin="var(--a)"`)).toContain(":root{--a:1px}");
  });

  const registered = (rules: string) =>
    `/*! MIT */@property --tw-x{syntax:"*";inherits:false;initial-value:0}@layer properties{@supports (a:b){*{--tw-x:0 0 #0000;--tw-y:initial}}}${rules}`;

  it("gives Tailwind's variables their initial values without registering them, and drops comments", () => {
    expect(purged(registered("p{--tw-x:1px}b{margin:var(--tw-x)}"), "<p><b>")).toBe(
      "@layer properties{*{--tw-x:0 0 #0000}}p{--tw-x:1px}b{margin:var(--tw-x)}",
    );
  });

  it("replaces Tailwind's variables that only rules with values of their own read by these values", () => {
    const css = registered("p{--tw-x:1px var(--tw-y,2px);margin:var(--tw-x)}b{--tw-x:3px;margin:var(--tw-x)}");
    expect(purged(css, "<p><b>")).toBe("p{margin:1px 2px}b{margin:3px}");
  });

  it("replaces Tailwind's variables that nothing sets by their initial values", () => {
    expect(purged(registered("p{padding:var(--tw-x);font:var(--tw-y,)a;box-shadow:var(--tw-x),0 0 red}"), "<p>")).toBe(
      "p{padding:0 0 #0000;font:a;box-shadow:0 0 red}",
    );
  });

  it("keeps used fonts and drops unused registered properties", () => {
    const css = `@font-face{font-family:"A B";src:url(a)}@font-face{font-family:C;src:url(c)}@property --x{syntax:"*";inherits:false}p{font:1rem "A B",serif}`;
    expect(purged(css, "<p>")).toBe(`@font-face{font-family:"A B";src:url(a)}p{font:1rem"A B",serif}`);
  });
});

describe("short class names", () => {
  const shorten = async (source: string, css: string, module = source) => {
    const src = await mkdtemp(join(tmpdir(), "class-names-"));
    await mkdir(join(src, "styles"));
    await writeFile(join(src, "page.astro"), source);
    await writeFile(join(src, "styles/site.css"), `@theme{--spacing:.25rem;--breakpoint-lg:60rem}@tailwind utilities;`);
    const names = await ClassNames.read(src).finally(() => rm(src, { recursive: true }));
    const { transform } = names.plugin();
    const code = typeof transform === "object" ? Reflect.apply(transform.handler, null, [module, ""]).code : "";
    return [code, names.shorten(css)];
  };

  it("are the same in a module and in the style sheet, for utilities of more than one word", async () => {
    const source = `<p class="grid mt-4 own-name lg:mt-8 mt-4" data-x="mt-4-x">`;
    const css = ".grid{display:grid}.mt-4{margin-top:1rem}.own-name .mt-4{color:red}.lg\\:mt-8{margin-top:2rem}";
    expect(await shorten(source, css)).toEqual([
      `<p class="grid A own-name B A" data-x="mt-4-x">`,
      ".grid{display:grid}.A{margin-top:1rem}.own-name .A{color:red}.B{margin-top:2rem}",
    ]);
  });

  it("replace names that Astro has escaped, with more than one character of markup in them", async () => {
    const [code] = await shorten(`<p class="[&>p>b]:mt-4">`, "", `<p class="[&amp;&gt;p&gt;b]:mt-4">`);
    expect(code).toBe(`<p class="A">`);
  });

  it("leave the names of our own that a utility looks at, which scripts look for", async () => {
    const source = `<body class="own-name"><p class="in-[.own-name]:mt-4">`;
    expect((await shorten(source, ""))[0]).toBe(`<body class="own-name"><p class="A">`);
  });

  it("differ for a thousand utilities, and begin with a capital", async () => {
    const utilities = Array.from({ length: 2000 }, (_, index) => `mt-[${index}px]`);
    const [code = ""] = await shorten(`<p class="${utilities.join(" ")}">`, "");
    const names = code.slice('<p class="'.length, -2).split(" ");
    expect(new Set(names).size).toBe(2000);
    expect(names.filter((name: string) => !/^[A-Z][a-zA-Z0-9]*$/.test(name))).toEqual([]);
  });
});

describe("the styles of a page", () => {
  const page =
    '<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/_astro/a.css"></head><body><p>x</p></body></html>';
  const finishLinked = (css?: string) =>
    processPage(page, new Chunks(), { api: "", pictures: [], statistics: null }, new Map(css ? [["/_astro/a.css", css]] : []));

  it("are what it uses of the style sheets it links to", () => {
    const { html, policy } = finishLinked("p{color:red}b{color:red}");
    expect(html).toContain("<style>p{color:red}</style></head>");
    expect(html).not.toContain("stylesheet");
    expect(policy).toContain(`style-src 'self' 'sha256-${createHash("sha256").update("p{color:red}").digest("base64")}'`);
  });

  it("fail for a style sheet that the build does not have", () => {
    expect(() => finishLinked()).toThrow("the style sheet /_astro/a.css is not in the build");
  });
});
