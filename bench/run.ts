// `npm run bench -- <kind> …`: what each kind measures stands in its file.
const kinds: Record<string, (args: string[]) => Promise<number>> = {
  host: async () => (await import("./host.ts")).measureServer(),
  pages: async (args) => (await import("./pages.ts")).run(args),
};

const [kind = "", ...args] = process.argv.slice(2);
const measure = kinds[kind];
if (!measure) {
  console.error(`npm run bench -- <kind> …; there are: ${Object.keys(kinds).join(", ")}`);
  process.exit(2);
}
process.exit(await measure(args));

export {};
