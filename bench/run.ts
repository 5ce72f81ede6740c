// `npm run bench -- <kind> …` measures the API server, the pages or the build of many.
const kinds: Record<string, (args: string[]) => Promise<void>> = {
  server: async () => (await import("./server.ts")).measureServer(),
  pages: async (args) => (await import("./pages.ts")).measurePages(args),
  build: async (args) => (await import("./build.ts")).measureBuild(args),
};

const [kind = "", ...args] = process.argv.slice(2);
const measure = kinds[kind];
if (!measure) {
  console.error(`npm run bench -- <kind> …; kinds: ${Object.keys(kinds).join(", ")}`);
  process.exit(2);
}
await measure(args);
process.exit(0);

export {};
