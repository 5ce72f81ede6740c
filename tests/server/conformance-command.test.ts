// @module-tag full
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import getPort from "get-port";
import { afterEach, describe, expect, it } from "vitest";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { startStubBackend } from "../support/stubs/concert-backend.ts";

afterEach(stopServersAndRemoveFolders);

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/conformance.ts", ...args], { env: { PATH: process.env.PATH, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [status] = await once(child, "close");
  return { status, output };
}

describe("npm run conformance", () => {
  it("passes against a server with default settings, rate limits included", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder, FLOOD_PER_MINUTE: "" });
    const { status, output } = await run([origin], { DATA_DIR: folder });
    expect(output).toMatch(/\n\d{3} passed, 0 failed, 8 skipped; \d+ requests\n$/);
    expect(output).toContain("Left on the server:\n  the member 199****");
    expect(status).toBe(0);
  });

  it("reads login codes from --code-command for the members given by --member", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder });
    const last = `tail -n 1 ${join(folder, "outbox.jsonl")} | grep "$MOBILE" | sed 's/.*"code":"//'`;
    const members = ["--member", "13800138000", "--member", "13900000002"];
    const { status, output } = await run([origin, ...members, "--code-command", last]);
    expect(output).toContain("there is no third number (--member)");
    expect(output).toContain("the member 138****8000, with a session");
    expect({ status, broken: /^ {2}failed/m.test(output) }).toEqual({ status: 0, broken: false });
  });

  it("exits with 1 when the server violates the contract, and with 2 when it cannot start", async () => {
    const other = await startStubBackend((_request, response) => response.end("<h1>Hello</h1>"));
    const broken = await run([other.origin, "--member", "13900000001", "--fail-fast"]);
    await other.close();
    expect(broken.output).toMatch(/failed {3}an unknown path returns 404 with 10003/);
    expect(broken.status).toBe(1);
    const none = await run([`http://127.0.0.1:${await getPort()}`]);
    expect(none).toMatchObject({ status: 2, output: expect.stringContaining("is not reachable") });
    expect(await run([])).toMatchObject({ status: 2, output: expect.stringContaining("npm run conformance -- <origin>") });
  });
});
