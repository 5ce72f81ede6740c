import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LockedError, lockFolder } from "../../server/db/lock.ts";
import { myself } from "../../server/db/process-identity.ts";
import { clearUp, newFolder, spawnHost, startHost } from "../support/host-process.ts";

afterEach(clearUp);

const lockOf = (folder: string) => join(folder, "host.lock");
const write = (folder: string, holder: object) => writeFileSync(lockOf(folder), JSON.stringify({ ...myself(), ...holder }));

describe("a folder of the embedded database", () => {
  it("belongs to one host: a second one is refused at once, told who has it, and does no harm", async () => {
    const DATA_DIR = newFolder("seeded");
    const first = await startHost({ DATA_DIR });
    const second = spawnHost({ DATA_DIR });
    const late = new Promise<never>((_, reject) => setTimeout(reject, 3_000, new Error("not refused in time")).unref());
    const { status, output } = await Promise.race([second.ended, late]);
    expect(status).toBe(1);
    expect(output).toContain(`in use by process ${first.child.pid} on ${hostname()}`);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    expect(existsSync(lockOf(DATA_DIR))).toBe(true);
  });

  it("is taken over from a host that was killed, and given back by one that was asked to end", async () => {
    const DATA_DIR = newFolder("seeded");
    const first = await startHost({ DATA_DIR });
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(lockOf(DATA_DIR))).toBe(true);
    const second = await startHost({ DATA_DIR });
    expect((await (await fetch(`${second.origin}/v1/goods/allLists`)).json()).data.list).toHaveLength(10);
    second.child.kill("SIGTERM");
    expect((await second.ended).status).toBe(0);
    expect(existsSync(lockOf(DATA_DIR))).toBe(false);
  });

  it("is given back to whoever took it alone", () => {
    const folder = newFolder();
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(LockedError);
    unlock();
    const again = lockFolder(folder);
    unlock();
    expect(existsSync(lockOf(folder))).toBe(true);
    again();
    expect(existsSync(lockOf(folder))).toBe(false);
  });

  it.each([
    ["a process that is gone", { pid: 2 ** 22 + 1 }],
    ["a process whose number another one has now", { started: "12345" }],
    ["a process from before the machine's last start", { boot: "another" }],
  ])("is taken over from %s", (_what, holder) => {
    const folder = newFolder();
    write(folder, holder);
    lockFolder(folder)();
    expect(existsSync(lockOf(folder))).toBe(false);
  });

  it("is taken over from a lock that was broken off", () => {
    const folder = newFolder();
    writeFileSync(lockOf(folder), '{"pid":');
    lockFolder(folder)();
  });

  it("of another machine's host is respected while that touches its lock", () => {
    const folder = newFolder();
    write(folder, { host: "elsewhere", pid: 7, boot: "other" });
    expect(() => lockFolder(folder)).toThrow(/process 7 on elsewhere/);
    const before = new Date(Date.now() - 31_000);
    utimesSync(lockOf(folder), before, before);
    lockFolder(folder)();
  });

  it("goes to exactly one of many that find a dead host's lock at once", async () => {
    const folder = newFolder();
    write(folder, { pid: 2 ** 22 + 1 });
    const script = `
      const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, "../../server/db/lock.ts"))});
      await new Promise((resolve) => process.once("message", resolve));
      try { lockFolder(${JSON.stringify(folder)}); process.send("held"); setInterval(() => {}, 1000); }
      catch (error) { process.send(error.constructor.name); process.disconnect(); }`;
    const start = () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const children: ChildProcess[] = Array.from({ length: 8 }, start);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const answers = Promise.all(children.map((child) => once(child, "message").then(([message]) => String(message))));
    for (const child of children) child.send("go");
    const said = await answers;
    const holder = JSON.parse(readFileSync(lockOf(folder), "utf8"));
    for (const child of children) child.kill("SIGKILL");
    expect(said.filter((word) => word === "held")).toHaveLength(1);
    expect(said.filter((word) => word === "LockedError")).toHaveLength(7);
    expect(holder.pid).toBe(children[said.indexOf("held")]?.pid);
  });
});
