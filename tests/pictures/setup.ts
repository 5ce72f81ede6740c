import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { logInDemo } from "#tests/support/client/demo.ts";
import { startLabelSite, startTestSite } from "#tests/support/content/test-site.ts";
import { root } from "#tests/support/rules/sources.ts";
import { listMemberPages, listPublicPages } from "./pages.ts";
import { folder, readRecord, shop, takesNew, writeRecord } from "./record.ts";

/** Starts the site of the pictures on new data; for new pictures its members order and book. */
export default async function setUp(config: FullConfig): Promise<() => Promise<void>> {
  const former = takesNew(config) ? null : readRecord();
  // The recorded answers name the origin.
  const port = former ? Number(new URL(former.origin).port) : undefined;
  const start = shop === "label" ? startLabelSite : startTestSite;
  const site = await start(join(root, `.cache/pictures-site-${shop}`), { port });
  if (!site) throw new Error("The site was not built: see above.");
  if (former) return site.end;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { origin, data } = site;
  const [member, newcomer] = [await logInDemo(origin, data), await logInDemo(origin, data, "13800138001")];
  writeRecord({
    origin,
    at: Date.now(),
    pages: [...(await listPublicPages(origin)), ...(await listMemberPages(member, origin, data))],
    members: { member: member.stored, newcomer: newcomer.stored },
  });
  return site.end;
}
