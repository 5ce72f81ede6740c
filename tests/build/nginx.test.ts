// @module-tag full
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFiles, builtPages, dist, sendRaw } from "../support/content/site.ts";
import { isWithoutNginx, type Nginx, startNginx } from "../support/hosting/nginx.ts";

describe.skipIf(isWithoutNginx())("the whole build behind nginx", () => {
  let nginx: Nginx;
  beforeAll(async () => {
    nginx = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; root ${dist}; include ${dist}/.hosting/nginx.conf; }`,
    );
  });
  afterAll(() => nginx?.stop());

  it("serves every page at its URL, byte for byte", async () => {
    const other: string[] = [];
    for (const { path, html } of builtPages().filter((page) => !/\/(404|50\d)$/.test(page.path))) {
      const { status, body } = await sendRaw(nginx.port, path);
      if (status !== 200 || body.toString() !== html) other.push(`${path}: ${status}`);
    }
    expect(other).toEqual([]);
  });

  it("serves every other file under its name with its content type", async () => {
    const files = builtFiles().filter((file) => /\.\w+$/.test(file) && !/^\.|\.(html|br)$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    const other: string[] = [];
    for (const file of files) {
      const { status, headers, body } = await sendRaw(nginx.port, `/${file}`);
      const isSame = status === 200 && body.equals(readFileSync(join(dist, file)));
      if (!isSame || /octet-stream|html/.test(headers["content-type"] ?? "")) other.push(`${file}: ${status}`);
    }
    expect(other).toEqual([]);
  });
});
