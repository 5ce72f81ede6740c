import { describe, expect, it } from "vitest";
import { composedClasses, styledClasses } from "../support/rules/class-rules.ts";
import { sources } from "../support/rules/sources.ts";

const styled = styledClasses();

describe("class names", () => {
  it("are written whole in the sources, where the purge of unused styles finds them", () => {
    const browser = sources().filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/build/"));
    expect(styled.size).toBeGreaterThan(100);
    expect(browser.flatMap((source) => composedClasses(source, styled))).toEqual([]);
  }, 15_000);

  it.each([
    ["src/a.tsx", `const a = (size: string) => [\`btn b-\${size}\`];`],
    ["src/a.tsx", 'const a = (size: string) => "btn b-" + size;'],
    ["src/a.ts", `element.classList.add(\`b-\${size}\`);`],
    ["src/a.tsx", `const a = <i className={\`new-\${kind}\`} />;`],
    ["src/a.tsx", `const a = <i className={\`tag \${kind}-tag\`} />;`],
    ["src/a.tsx", 'const a = <i className={kind + "x"} />;'],
    ["src/a.astro", `---\nconst size = 1;\n---\n<i class={\`new-\${size}\`}>a</i>`],
    ["src/a.astro", `---\nconst size = 1;\n---\n<ul>{list.map((one) => <li class:list={['a', \`new-\${one}\`]} />)}</ul>`],
    ["src/a.astro", `<p>a</p>\n<i class=\`new-\${size}\`></i>`],
  ])("composedClasses reports a composed name in %s: %s", (path, text) => {
    expect(composedClasses({ path, text }, new Set(["b-lg"]))).toHaveLength(1);
  });

  it.each([
    ["src/a.tsx", `const a = <i className={\`tag \${kinds[kind]} \${wide}\`} />;`],
    ["src/a.tsx", `const a = <i id={\`spec-\${place}\`} />;`],
    ["src/a.astro", `<i class={\`tag \${kind}\`} id={\`spec-\${place}\`}>a</i>`],
  ])("composedClasses accepts whole names in %s: %s", (path, text) => {
    expect(composedClasses({ path, text }, new Set(["b-lg"]))).toEqual([]);
  });
});
