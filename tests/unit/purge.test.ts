import { describe, expect, it } from "vitest";
import { findTags } from "../../src/build/html.ts";
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
      "all tints when one is used",
      ".tint-d0{color:red}.tint-l1{color:blue}.tint{color:red}",
      `<p class="tint-d0">`,
      ".tint-d0{color:red}.tint-l1{color:blue}",
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
  const css = ".late{color:red}[data-open]{color:red}dialog{color:red}[disabled]{color:red}.never{color:red}";
  it.each([
    ["classes in strings", `e.classList.add("late")`, ".late{color:red}"],
    ["classes among others", "x(`flex late\nrow`)", ".late{color:red}"],
    ["elements", `h("dialog",{})`, "dialog{color:red}"],
    ["properties as attributes", "h(B,{disabled:e})", "[disabled]{color:red}"],
    ["data attributes", "e.dataset.open=1", "[data-open]{color:red}"],
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
    const css = ":root{--a:var(--b);--b:1px;--c:var(--a)}p{margin:var(--a)}";
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
    const css = "@keyframes in{to{margin:var(--a)}}@keyframes out{to{margin:0}}:root{--a:1px}p{animation:in 1s}";
    expect(purged(css, "<p>")).toBe("@keyframes in{to{margin:var(--a)}}:root{--a:1px}p{animation:in 1s}");
    expect(purged(css, "<b>")).toBe("");
  });

  it("keeps keyframes named by a custom property", () => {
    const css = ":root{--spin:spin 1s}@keyframes spin{to{rotate:1turn}}p{animation:var(--spin)}";
    expect(purged(css, "<p>")).toBe(css);
  });

  it("gives Tailwind's variables their initial values without registering them, and drops comments", () => {
    const css = `/*! MIT */@property --tw-x{syntax:"*";inherits:false;initial-value:0}@layer properties{@supports (a:b){*{--tw-x:0;--tw-y:0}}}p{margin:var(--tw-x)}`;
    expect(purged(css, "<p>")).toBe("@layer properties{*{--tw-x:0}}p{margin:var(--tw-x)}");
  });

  it("keeps used fonts and drops unused registered properties", () => {
    const css = `@font-face{font-family:"A B";src:url(a)}@font-face{font-family:C;src:url(c)}@property --x{syntax:"*";inherits:false}p{font:1rem "A B",serif}`;
    expect(purged(css, "<p>")).toBe(`@font-face{font-family:"A B";src:url(a)}p{font:1rem"A B",serif}`);
  });
});
