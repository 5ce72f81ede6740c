import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listFiles } from "#src/build/files.ts";
import { hostingFiles } from "#src/build/hosting/hosting.ts";
import { formatSummary, oddBuild, oddPaths, oddRedirects } from "#tests/support/content/odd-paths.ts";
import { sendRaw, serveFixture, writeFiles } from "#tests/support/content/site.ts";
import { readDifferences } from "#tests/support/hosting/differences.ts";
import { type Host, startCloudflare, startNetlify } from "./start-host.ts";

const dir = mkdtempSync(join(tmpdir(), "entrance-hosts-"));
let server: Awaited<ReturnType<typeof serveFixture>>;
beforeAll(async () => {
  writeFiles(dir, oddBuild);
  writeFiles(dir, hostingFiles(await listFiles(dir), oddRedirects));
  server = await serveFixture(oddBuild);
});
afterAll(async () => {
  await server?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Kinds of targets of which the table of docs/hosting.md has an example: escapes, empty segments, files below a file, of a folder and of an error, and rules. */
const kinds = /[%\\]|\/\/|\.\w+\/$|\/index(\.html)?$|\/(404|50\d)(\.html)?$|\.br$|^\/(\.|_headers|_redirects)/;
/** wrangler looks for a file of the name on this machine. */
const maxName = 255;
const isComparable = (target: string) => !kinds.test(target) && target.length <= maxName;

/** Returns a summary without what hosts may choose: the kind of permanent redirect, the page of a 404 and the type of a file. */
const simplify = (summary: string) =>
  summary
    .replace(/^301/, "308")
    .replace(/^404 .*/, "404")
    .replace(/^200 (?:(?:text|image|application)\/.*|undefined)$/, "200 file");

/** Returns the summaries of a request and of what its redirects lead to: these hosts write another prefix, a slash or a query in steps of their own. */
async function listSteps(port: number, target: string): Promise<string[]> {
  const steps: string[] = [];
  for (let next: string | undefined = target; next && steps.length < 3; next = /^30\d to (\/.*)/.exec(steps.at(-1) ?? "")?.[1])
    steps.push(formatSummary(await sendRaw(port, next)));
  return steps;
}

/** Returns summaries of the pages that redirects lead to: Netlify's engine serves them under other spellings of their address too. */
function followRedirects(summaries: string[]): Promise<string[]> {
  const targets = summaries.flatMap((summary) => /^308 to (\/.*)/.exec(summary)?.[1] ?? []);
  return Promise.all(targets.map(async (target) => formatSummary(await server.request(target))));
}

describe.each([
  ["Cloudflare Pages", startCloudflare],
  ["Netlify", startNetlify],
] as const)("%s", (name, start) => {
  const differences = readDifferences(name);
  let host: Host;
  beforeAll(async () => {
    host = await start(dir);
  });
  afterAll(() => host?.stop());

  it("answers odd paths as the server does", async () => {
    const listed = differences.map(({ target }) => target);
    const unexpected: string[] = [];
    for (const [target, summaries] of oddPaths.filter(([path]) => isComparable(path) && !listed.includes(path))) {
      const steps = await listSteps(host.port, target);
      const allowed = (name === "Netlify" ? [...summaries, ...(await followRedirects(summaries))] : summaries).map(simplify);
      // Where the server does not redirect, nor do they.
      const own = summaries.some((summary) => summary.startsWith("308")) ? steps : steps.slice(0, 1);
      if (!own.some((step) => allowed.includes(simplify(step)))) unexpected.push(`${target}: ${steps}, not ${summaries}`);
    }
    expect(unexpected).toEqual([]);
  });

  it("never redirects off the site", async () => {
    for (const [target] of oddPaths) {
      const { headers } = await sendRaw(host.port, target);
      expect(headers.location ?? "/", target).toMatch(/^\/(?![/\\])/);
    }
  });

  it.each(differences)("answers $method $target as docs/hosting.md says", async ({ method, target, status }) => {
    if (status) expect((await sendRaw(host.port, target, {}, method)).status).toBe(status);
  });
});
