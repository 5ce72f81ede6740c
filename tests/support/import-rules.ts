import type { Import } from "./sources.ts";

interface Rule {
  from: RegExp;
  /** Patterns of allowed imports. `$1` is the first group of `from`. */
  to: string[];
  /** Patterns of allowed type imports. */
  types?: string[];
}

// Islands receive texts as their `t` prop; these modules contain none.
const language = "^i18n/(locale|catalogue)\\.ts$";

/** Allowed imports by file; the first matching rule applies. */
const rules: Rule[] = [
  {
    from: /^src\/(pages|layouts)\//,
    to: ["^src/(pages|layouts|features|ui|api|lib|client|styles|content)/", "^src/routes\\.ts$", "^i18n/"],
  },
  {
    from: /^src\/features\/([\w-]+)\//,
    to: [
      "^src/features/$1/",
      "^src/features/[\\w-]+/store\\.ts$",
      "^src/(ui|api|lib)/",
      "^src/content/translations\\.ts$",
      "^src/routes\\.ts$",
      language,
    ],
    types: ["^i18n/"],
  },
  {
    from: /^src\/client\//,
    to: ["^src/(client|api|lib)/", "^src/features/[\\w-]+/store\\.ts$", "^src/routes\\.ts$", "^i18n/locale\\.ts$"],
  },
  { from: /^src\/ui\//, to: ["^src/(ui|lib)/"], types: ["^src/api/problem\\.ts$"] },
  { from: /^src\/api\//, to: ["^src/api/"] },
  { from: /^src\/lib\//, to: ["^src/lib/"] },
  { from: /^src\/build\//, to: ["^src/(build|lib|api)/", "^src/content/schema\\.ts$", "^src/routes\\.ts$", "^i18n/"] },
  { from: /^src\/routes\.ts$/, to: ["^i18n/locale\\.ts$"] },
  // Hands the names of existing posters to the schemas.
  {
    from: /^src\/content\.config\.ts$/,
    to: ["^src/content/", "^src/build/poster/sheets\\.ts$"],
  },
  { from: /^src\/content\//, to: ["^i18n/locale\\.ts$", "^src/(lib|content|api)/"] },
  { from: /^i18n\//, to: ["^i18n/"] },
  // Inside the server imports point from the entry points down to lib.
  { from: /^server\/lib\//, to: ["^server/lib/", "^src/api/"], types: ["^i18n/locale\\.ts$"] },
  { from: /^server\/config\//, to: ["^server/(config|lib)/", "^src/api/"] },
  { from: /^server\/db\//, to: ["^server/(db|config|lib)/", "^src/api/", "^i18n/"] },
  {
    from: /^server\/(http|site|docs|context\.ts)/,
    to: ["^server/(http|site|docs|db|config|lib)/", "^server/context\\.ts$", "^src/api/", "^src/routes\\.ts$", "^i18n/"],
  },
  {
    from: /^server\/sms\//,
    to: ["^server/(sms|http|db|config|lib)/", "^server/context\\.ts$", "^src/api/", "^i18n/"],
  },
  {
    from: /^server\/modules\//,
    to: [
      "^server/(modules|http|db|config|lib)/",
      "^server/context\\.ts$",
      "^src/api/",
      "^src/lib/poster\\.ts$",
      "^src/routes\\.ts$",
      "^i18n/",
    ],
  },
  {
    from: /^server\/(payment|operator)\//,
    to: [
      "^server/(payment|operator|modules|http|db|config|lib)/",
      "^server/context\\.ts$",
      "^src/api/",
      "^src/routes\\.ts$",
      "^i18n/",
    ],
  },
  { from: /^server\//, to: ["^server/", "^src/api/", "^src/routes\\.ts$", "^i18n/"] },
  // Tests any server against the contract and imports only that.
  { from: /^scripts\/conformance(\/|\.ts$)/, to: ["^scripts/", "^src/api/", "^server/config/env-file\\.ts$"] },
  { from: /^scripts\/write-configuration\.ts$/, to: ["^server/config/variables?\\.ts$"] },
  { from: /^scripts\//, to: ["^scripts/", "^src/api/", "^server/config/env-file\\.ts$"] },
  { from: /^bench\//, to: ["^(bench|server|src|i18n|scripts|tests/support)/"] },
  { from: /^tests\/support\//, to: ["^(tests/support|server|src|i18n|scripts)/"] },
  // The server's tests arrange its tables and stubs.
  { from: /^tests\/server\//, to: ["^(tests|src|i18n|server|scripts)/"] },
  { from: /^tests\//, to: ["^(tests|src|i18n|scripts)/"], types: ["^server/"] },
];

/** Returns the imports that no rule allows, each as a sentence. */
export function findForbiddenImports(imports: Import[]): string[] {
  return imports.filter((one) => one.ours && !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`);
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const rule = rules.find((candidate) => candidate.from.test(from));
  if (!rule) return false;
  const group = rule.from.exec(from)?.[1] ?? "";
  const targets = [...rule.to, ...(typeOnly ? (rule.types ?? []) : [])];
  return targets.some((target) => new RegExp(target.replace("$1", group)).test(to));
}

/** Returns import cycles, of types too, each as a path back to its start. Dynamic imports close no cycle. */
export function findCycles(imports: Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, ours, lazy } of imports) {
    if (ours && !lazy) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: string[]) => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) follow(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) follow(file, []);
  return cycles;
}
