import { mkdirSync, cpSync, rmSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import getPort from "get-port";
import { it } from "vitest";
import { demoFolder } from "../../scripts/shop.ts";
import { startTestSite } from "../../scripts/test-site.ts";
import { root } from "../support/rules/sources.ts";
it("x", { timeout: 400_000 }, async () => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/rebuild-"));
  const port = await getPort();
  for (const n of ["1","2","3"]) {
    const site = await startTestSite(folder, { write: (c) => { rmSync(c,{recursive:true,force:true}); cpSync(demoFolder, c, { recursive: true }) }, port });
    await site?.end();
    rmSync(`/tmp/rb/${n}`, {recursive:true,force:true});
    cpSync(join(folder, "dist"), `/tmp/rb/${n}`, { recursive: true });
  }
});
