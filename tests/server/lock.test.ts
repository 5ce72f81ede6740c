// @module-tag full
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LockedError, lockFolder } from "#server/db/lock.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { newFolder, spawnServer, startServer } from "#tests/support/processes/child-process.ts";

/** Returns true where PID namespaces cannot be created. */
const isWithoutNamespaces = () => spawnSync("unshare", ["-Upf", "--mount-proc", "--kill-child", "true"]).status !== 0;

describe("the lock of the embedded database's folder", () => {
  it("refuses a second server at once, names the process that holds it and leaves that one running", async () => {
    const DATA_DIR = newFolder("seeded");
    const first = await startServer({ DATA_DIR });
    const second = spawnServer({ DATA_DIR });
    const late = new Promise<never>((_, reject) => setTimeout(reject, 3_000, new Error("not refused in time")).unref());
    const { status, output } = await Promise.race([second.ended, late]);
    expect(status).toBe(1);
    expect(output).toContain(`in use by process ${first.child.pid} on ${hostname()}`);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  });

  it("is taken over from a killed server, and released on shutdown", async () => {
    const DATA_DIR = newFolder("seeded");
    const first = await startServer({ DATA_DIR });
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await startServer({ DATA_DIR });
    expect((await clientAt(second.origin).call(contract.goodsLists)).list).toHaveLength(10);
    second.child.kill("SIGTERM");
    expect((await second.ended).status).toBe(0);
    lockFolder(DATA_DIR)();
  });

  it("is released only by the process that holds it", () => {
    const folder = newFolder();
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(LockedError);
    unlock();
    const again = lockFolder(folder);
    unlock();
    expect(() => lockFolder(folder)).toThrow(LockedError);
    again();
    lockFolder(folder)();
  });

  it.skipIf(isWithoutNamespaces())(
    "is held by one of two servers in separate PID namespaces with the same host name (where unshare works)",
    async () => {
      const DATA_DIR = newFolder("seeded");
      const unshare = ["unshare", "-Upf", "--mount-proc", "--kill-child"];
      const first = await startServer({ DATA_DIR }, undefined, unshare);
      const { status, output } = await spawnServer({ DATA_DIR }, undefined, unshare).ended;
      expect(status).toBe(1);
      expect(output.trim()).toMatch(/is in use by process 1 on [^\n]*$/);
      expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
      // Like a killed container.
      first.child.kill("SIGKILL");
      await first.ended;
      const successor = await startServer({ DATA_DIR }, undefined, unshare);
      expect((await fetch(`${successor.origin}/readyz`)).status).toBe(200);
    },
  );

  it("goes to exactly one of eight processes that take over a killed one's lock at once", async () => {
    const DATA_DIR = newFolder("seeded");
    const killed = await startServer({ DATA_DIR });
    killed.child.kill("SIGKILL");
    await killed.ended;
    const script = `
      const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, "../../server/db/lock.ts"))});
      await new Promise((resolve) => process.once("message", resolve));
      try { lockFolder(${JSON.stringify(DATA_DIR)}); process.send("held"); setInterval(() => {}, 1000); }
      catch (error) { process.send(error.constructor.name); process.disconnect(); }`;
    const start = () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const children: ChildProcess[] = Array.from({ length: 8 }, start);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const responses = Promise.all(children.map((child) => once(child, "message").then(([message]) => String(message))));
    for (const child of children) child.send("go");
    const results = await responses;
    const holder = children[results.indexOf("held")]?.pid;
    expect(() => lockFolder(DATA_DIR)).toThrow(`in use by process ${holder} on `);
    for (const child of children) child.kill("SIGKILL");
    expect(results.filter((word) => word === "held")).toHaveLength(1);
    expect(results.filter((word) => word === "LockedError")).toHaveLength(7);
  });
});
