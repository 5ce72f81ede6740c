// @module-tag full
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LockedError, lockFolder } from "../../server/db/lock.ts";
import { currentProcess } from "../../server/db/process-identity.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { newFolder, spawnServer, startServer, stopServersAndRemoveFolders } from "../support/processes/child-process.ts";

afterEach(stopServersAndRemoveFolders);

const lockFile = (folder: string) => join(folder, "host.lock");
const writeLock = (folder: string, holder: object) =>
  writeFileSync(lockFile(folder), JSON.stringify({ ...currentProcess(), ...holder }));

const failOnLoss = (reason: string) => {
  throw new Error(reason);
};

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
    expect(existsSync(lockFile(DATA_DIR))).toBe(true);
  });

  it("is taken over from a killed server and released on shutdown", async () => {
    const DATA_DIR = newFolder("seeded");
    const first = await startServer({ DATA_DIR });
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(lockFile(DATA_DIR))).toBe(true);
    const second = await startServer({ DATA_DIR });
    expect((await clientAt(second.origin).call(contract.goodsLists)).list).toHaveLength(10);
    second.child.kill("SIGTERM");
    expect((await second.ended).status).toBe(0);
    expect(existsSync(lockFile(DATA_DIR))).toBe(false);
  });

  it("is released only by the process that holds it", async () => {
    const folder = newFolder();
    const unlock = await lockFolder(folder, failOnLoss);
    await expect(lockFolder(folder, failOnLoss)).rejects.toThrow(LockedError);
    unlock();
    const again = await lockFolder(folder, failOnLoss);
    unlock();
    expect(existsSync(lockFile(folder))).toBe(true);
    again();
    expect(existsSync(lockFile(folder))).toBe(false);
  });

  it.each([
    ["a process that has ended", { pid: 2 ** 22 + 1 }],
    ["a process whose pid was reused", { started: "12345" }],
  ])("is taken over from %s", async (_what, holder) => {
    const folder = newFolder();
    writeLock(folder, holder);
    (await lockFolder(folder, failOnLoss))();
    expect(existsSync(lockFile(folder))).toBe(false);
  });

  it("is taken over when its file is truncated", async () => {
    const folder = newFolder();
    writeFileSync(lockFile(folder), '{"pid":');
    (await lockFolder(folder, failOnLoss))();
  });

  it("of a process in another namespace is respected while its heartbeat continues, whatever its clock shows, and taken over when it stops", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const holders = [
      { namespace: "pid:[1]", pid: 7 },
      { boot: "other", pid: 7 },
      { host: "elsewhere", boot: "other", pid: 7 },
    ];
    const alive = holders.map((holder) => {
      const folder = newFolder();
      writeLock(folder, holder);
      // The clock is an hour behind or ahead.
      let clock = Date.now() + (holder.namespace ? 3600_000 : -3600_000);
      const heartbeat = setInterval(() => {
        clock += 5_000;
        utimesSync(lockFile(folder), new Date(clock), new Date(clock));
      }, 5_000);
      return expect(lockFolder(folder, failOnLoss))
        .rejects.toThrow(/process 7 on /)
        .finally(() => clearInterval(heartbeat));
    });
    const silent = holders.flatMap((holder) =>
      [0, 60_000].map(async (age) => {
        const folder = newFolder();
        writeLock(folder, holder);
        const at = new Date(Date.now() - age);
        utimesSync(lockFile(folder), at, at);
        const began = performance.now();
        const unlock = await lockFolder(folder, failOnLoss);
        // A process with a recent heartbeat may be alive, so its timeout is waited for.
        expect(performance.now() - began).toBeGreaterThan(age === 0 ? 29_000 : 10_000);
        unlock();
      }),
    );
    await Promise.all([...alive, ...silent]);
    vi.restoreAllMocks();
  }, 120_000);

  it("stops the server that finds another process's lock in place of its own, and leaves that lock untouched", async () => {
    const DATA_DIR = newFolder("seeded");
    const server = await startServer({ DATA_DIR });
    const other = JSON.stringify({ ...currentProcess(), pid: 7, namespace: "pid:[1]" });
    writeFileSync(`${lockFile(DATA_DIR)}.new`, other);
    renameSync(`${lockFile(DATA_DIR)}.new`, lockFile(DATA_DIR));
    const { status, output } = await server.ended;
    expect(status).toBe(1);
    expect(output).toMatch(/is no longer this process's: process 7 on .* holds it/);
    expect(readFileSync(lockFile(DATA_DIR), "utf8")).toBe(other);
  });

  it("is written again when its file is removed", async () => {
    const folder = newFolder();
    const unlock = await lockFolder(folder, failOnLoss);
    const own = readFileSync(lockFile(folder), "utf8");
    rmSync(lockFile(folder));
    await expect.poll(() => existsSync(lockFile(folder)), { timeout: 10_000 }).toBe(true);
    expect(readFileSync(lockFile(folder), "utf8")).toBe(own);
    await expect(lockFolder(folder, failOnLoss)).rejects.toThrow(LockedError);
    unlock();
  });

  it.skipIf(isWithoutNamespaces())(
    "is held by one of two servers in separate PID namespaces with the same host name (where unshare works)",
    async () => {
      const DATA_DIR = newFolder("seeded");
      const unshare = ["unshare", "-Upf", "--mount-proc", "--kill-child"];
      const first = await startServer({ DATA_DIR }, [], undefined, unshare);
      const lock = readFileSync(lockFile(DATA_DIR), "utf8");
      const { status, output } = await spawnServer({ DATA_DIR }, [], undefined, unshare).ended;
      expect(status).toBe(1);
      expect(output.trim()).toMatch(/is in use by process 1 on [^\n]*$/);
      expect(readFileSync(lockFile(DATA_DIR), "utf8")).toBe(lock);
      expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
      // Like a killed container: its successor waits for the heartbeat's timeout.
      first.child.kill("SIGKILL");
      await first.ended;
      const successor = await startServer({ DATA_DIR }, [], undefined, unshare);
      expect(successor.output()).toContain("has sent no heartbeat: waiting");
      expect((await fetch(`${successor.origin}/readyz`)).status).toBe(200);
    },
    180_000,
  );

  it("goes to exactly one of eight processes that take over a stale lock at once", async () => {
    const folder = newFolder();
    writeLock(folder, { pid: 2 ** 22 + 1 });
    const script = `
      const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, "../../server/db/lock.ts"))});
      await new Promise((resolve) => process.once("message", resolve));
      try { await lockFolder(${JSON.stringify(folder)}, () => {}); process.send("held"); setInterval(() => {}, 1000); }
      catch (error) { process.send(error.constructor.name); process.disconnect(); }`;
    const start = () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const children: ChildProcess[] = Array.from({ length: 8 }, start);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const responses = Promise.all(children.map((child) => once(child, "message").then(([message]) => String(message))));
    for (const child of children) child.send("go");
    const results = await responses;
    const holder = JSON.parse(readFileSync(lockFile(folder), "utf8"));
    for (const child of children) child.kill("SIGKILL");
    expect(results.filter((word) => word === "held")).toHaveLength(1);
    expect(results.filter((word) => word === "LockedError")).toHaveLength(7);
    expect(holder.pid).toBe(children[results.indexOf("held")]?.pid);
  });
});
