import { describe, expect, it } from "vitest";
import { findTags } from "../../src/build/html.ts";
import { UsedNames } from "../../src/build/purge.ts";

function purge(css: string, html: string, ...code: string[]): Promise<string> {
  const used = new UsedNames();
  used.addTags(findTags(html));
  for (const one of code) used.addCode(one);
  return used.purge(css);
}

describe("purging a style sheet", () => {
  it.each([
    [
      "a rule with what an element of the page has",
      ".a{color:red}#b{color:red}td{color:red}[hidden]{color:red}",
      ".a{color:red}",
    ],
    ["alternatives", ":is(.a,.b){color:red}:where(.b,.c)>p{color:red}", ":is(.a){color:red}"],
    [
      "states alone",
      ".a:is(:hover,:focus-visible){color:red}.b:is(:hover){color:red}",
      ".a:is(:hover,:focus-visible){color:red}",
    ],
    ["what any element around has", ".a:is(:where(:has(.b .c)) *){color:red}", ".a:is(:where(:has(.b .c)) *){color:red}"],
    ["what no element around has", ".a:is(:where(.b) *){color:red}", ""],
    [
      "used custom properties, also indirectly",
      ":root{--a:var(--b);--b:1px;--c:1px}.a{margin:var(--a)}",
      ":root{--a:var(--b);--b:1px}.a{margin:var(--a)}",
    ],
    [
      "used keyframes",
      "@keyframes in{to{margin:0}}@keyframes out{to{margin:0}}.a{animation:in 1s}",
      "@keyframes in{to{margin:0}}.a{animation:in 1s}",
    ],
    ["conditions", "@media print{.b{color:red}}@layer x{.b{color:red}}.a{color:red}", ".a{color:red}"],
  ])("keeps %s", async (_, css, expected) => {
    expect(await purge(css, `<p class="a">`)).toBe(expected);
  });

  it("keeps classes with signs, states that scripts set, and all tints as light as one of the page", async () => {
    expect(await purge("[aria-busy=true]{color:red}", `<p aria-busy="false">`)).toBe("[aria-busy=true]{color:red}");
    expect(await purge(".md\\:w-1\\/2{color:red}", `<b class="md:w-1/2">`)).toBe(".md\\:w-1\\/2{color:red}");
    const css = ".tint-d1{color:red}.tint-l1{color:red}";
    expect(await purge(css, `<p class="tint-d0">`)).toBe(".tint-d1{color:red}");
  });

  it("keeps fonts that a custom property names", async () => {
    const css = `@font-face{font-family:"Face";src:url(a.woff2)}:root{--font:"Face",serif}p{font-family:var(--font)}`;
    expect(await purge(css, "<p>")).toBe(css);
  });

  it("keeps custom properties that scripts or SVG attributes use", async () => {
    const css = ":root{--a:1px;--b:2px}";
    expect(await purge(css, "<p>", `e.style.setProperty("--a",1)`)).toBe(":root{--a:1px}");
    expect(await purge(css, `<path fill="var(--b)">`)).toBe(":root{--b:2px}");
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
  ])("keep %s", async (_, code, expected) => {
    expect(await purge(css, "<p>", code)).toBe(expected);
    expect(await purge(css, `<script>${code}</script>`)).toBe(expected);
  });

  it("keep classes in island props and data attributes", async () => {
    expect(await purge(css, `<astro-island props="{&quot;c&quot;:[0,&quot;late x&quot;]}">`)).toBe(".late{color:red}");
    expect(await purge(css, `<p data-toggle="late">`)).toBe(".late{color:red}");
  });

  it("do not come from comments, text, or what describes a picture or a page", async () => {
    expect(await purge(css, `<!-- <p class="late"> --><title>dialog</title> late`)).toBe("");
    expect(await purge(css, `<img alt="never late" title="late"><meta content="late">`)).toBe("");
    expect(await purge(css, `<script type="application/ld+json">{"name":"late"}</script>`)).toBe("");
  });
});
