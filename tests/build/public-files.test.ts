// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoFolder } from "#scripts/shop-paths.ts";
import { sendRaw, writeFiles } from "#tests/support/content/site.ts";
import { copyCaches, startTestSite } from "#tests/support/content/test-site.ts";
import { isWithoutNginx, startNginx } from "#tests/support/hosting/web-servers.ts";
import { root } from "#tests/support/rules/sources.ts";

const publicFiles = {
  "MP_verify_1a2b.txt": "1a2b",
  "google1a2b.html": "google-site-verification: google1a2b.html",
  "files/menu/index.html": "<!doctype html><title>Menu</title>",
  ".apple/y.txt": "y",
  ".well-known/security.txt": "Contact: mailto:own@shop.example\nExpires: 2027-01-01T00:00:00Z\n",
};

describe("a shop's own public files", { timeout: 400_000 }, () => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/public-"));
  let site: Awaited<ReturnType<typeof startTestSite>>;
  beforeAll(async () => {
    copyCaches(join(folder, "cache"));
    site = await startTestSite(folder, {
      write: (content) => {
        cpSync(demoFolder, content, { recursive: true });
        writeFiles(join(content, "public"), publicFiles);
      },
    });
  }, 400_000);
  afterAll(async () => {
    await site?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const expectAll = async (port: number) => {
    for (const [path, text] of Object.entries(publicFiles)) {
      const { status, headers, body } = await sendRaw(port, `/${path}`);
      const type = path.endsWith(".html") ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
      expect([path, status, headers["content-type"], body.toString()]).toEqual([path, 200, type, text]);
    }
  };

  it("are in its site as they are, after those of every shop, and on the server", async () => {
    const { dist, origin } = site ?? expect.fail("no site was built");
    for (const [path, text] of Object.entries(publicFiles)) expect(readFileSync(join(dist, path), "utf8"), path).toBe(text);
    await expectAll(Number(new URL(origin).port));
  });

  it.skipIf(isWithoutNginx())("are on nginx", async () => {
    const dist = site?.dist ?? expect.fail("no site was built");
    const nginx = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; root ${dist}; include ${dist}/.hosting/nginx.conf; }`,
    );
    await expectAll(nginx.port);
    await nginx.stop();
  });
});
