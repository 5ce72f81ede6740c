// @module-tag full
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLogWriter } from "../../server/lib/log-writer.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { describeOnEngines, newPostgres } from "../support/database/database.ts";
import { newFolder, startServer, stopServersAndRemoveFolders, withPostgres } from "../support/processes/child-process.ts";
import { isWithoutSmallDisk, mountSmallDisk } from "../support/races/faults.ts";

afterEach(stopServersAndRemoveFolders);
afterEach(() => vi.restoreAllMocks());

const logModule = join(import.meta.dirname, "../../server/lib/log-writer.ts");
const logFile = (folder: string) => join(folder, "requests.jsonl");

/** Runs processes that each log `lines` lines of about 200 bytes. */
async function logFrom(processes: number, folder: string, lines: number): Promise<void> {
  const script = `
    const { createLogWriter } = await import(${JSON.stringify(logModule)});
    const log = createLogWriter("file", ${JSON.stringify(folder)});
    const writer = process.argv[1];
    for (let n = 0; n < ${lines}; n += 1) {
      log.write({ writer, n, more: "x".repeat(160) });
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    log.close();`;
  await Promise.all(
    Array.from({ length: processes }, async (_, writer) => {
      const args = ["--input-type=module", "-e", script, "--", String(writer)];
      const [status] = await once(spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] }), "exit");
      expect(status).toBe(0);
    }),
  );
}

/** Counts each line in the files of a folder, by writer and number. */
function countLines(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(folder).filter((one) => one.startsWith("requests"))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean)) {
      const { writer, n } = JSON.parse(line);
      counts.set(`${writer} ${n}`, (counts.get(`${writer} ${n}`) ?? 0) + 1);
    }
  }
  return counts;
}

function expectEachLineOnce(folder: string, expected: Record<string, number>): void {
  const counts = countLines(folder);
  const faults = Object.entries(expected).flatMap(([writer, lines]) =>
    Array.from({ length: lines }, (_, n) => `${writer} ${n}`).filter((line) => counts.get(line) !== 1),
  );
  expect(faults.slice(0, 5)).toEqual([]);
  expect(counts.size).toBe(Object.values(expected).reduce((sum, lines) => sum + lines, 0));
}

describe("the log file", () => {
  it.each([1, 2, 4])("contains each line once when %i processes rotate it", async (processes) => {
    const folder = newFolder();
    // Just below the size limit of a file.
    const old = 49_000;
    writeFileSync(
      logFile(folder),
      Array.from({ length: old }, (_, n) => `${JSON.stringify({ writer: "old", n, more: "y".repeat(180) })}\n`).join(""),
    );
    await logFrom(processes, folder, 8_000 / processes);
    expect(readdirSync(folder).length).toBeGreaterThan(1);
    expectEachLineOnce(folder, {
      old,
      ...Object.fromEntries(Array.from({ length: processes }, (_, writer) => [writer, 8_000 / processes])),
    });
  });

  it("keeps ten to twenty megabytes and does not delete files renamed by others", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "requests.jsonl.1"), "");
    const log = createLogWriter("file", folder);
    const line = { more: "x".repeat(1024 * 1024) };
    for (let n = 0; n < 60; n += 1) {
      log.write(line);
      if (n % 5 === 0) await wait(250);
    }
    log.close();
    const names = readdirSync(folder);
    const bytes = names.reduce((sum, name) => sum + readFileSync(join(folder, name)).byteLength, 0);
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(bytes).toBeLessThan(32 * 1024 * 1024);
    expect(existsSync(join(folder, "requests.jsonl.1"))).toBe(true);
  });

  it.each([1, 2, 4])("contains each line once when it is renamed externally under %i processes", async (processes) => {
    const folder = newFolder();
    let isOver = false;
    const rotating = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await wait(130);
        if (existsSync(logFile(folder))) renameSync(logFile(folder), `${logFile(folder)}.${n}`);
        // Like logrotate's `create`.
        writeFileSync(logFile(folder), "", { flag: "a" });
      }
    })();
    await logFrom(processes, folder, 4_000);
    isOver = true;
    await rotating;
    expectEachLineOnce(folder, Object.fromEntries(Array.from({ length: processes }, (_, writer) => [writer, 4_000])));
  });

  it("is continued after it is copied and truncated, or removed with its folder", async () => {
    const folder = join(newFolder(), "data");
    mkdirSync(folder);
    const log = createLogWriter("file", folder);
    const parts: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      log.write({ n });
      await expect
        .poll(() => existsSync(logFile(folder)) && readFileSync(logFile(folder), "utf8"))
        .toBe(`${JSON.stringify({ n })}\n`);
      copyFileSync(logFile(folder), join(folder, "copy"));
      parts.push(readFileSync(join(folder, "copy"), "utf8"));
      if (n < 3) truncateSync(logFile(folder));
      else rmSync(folder, { recursive: true });
    }
    log.close();
    expect(parts.map((part) => JSON.parse(part).n)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("buffers lines while it cannot be written, prints one warning, counts the dropped lines and writes the rest later", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const folder = newFolder();
    // A folder in place of the file cannot be appended to, not even by root.
    mkdirSync(logFile(folder));
    const log = createLogWriter("file", folder);
    log.write({ writer: "early", n: 0 });
    await expect.poll(() => printed.mock.calls.length).toBe(1);
    for (let n = 0; n < 10; n += 1) log.write({ writer: "large", n, more: "x".repeat(1024 * 1024) });
    await wait(600);
    expect(printed.mock.calls).toEqual([[expect.stringMatching(/^The request log cannot be written: EISDIR/)]]);
    rmdirSync(logFile(folder));
    await expect.poll(() => printed.mock.calls.length, { timeout: 10_000 }).toBe(2);
    expect(printed.mock.calls.at(-1)).toEqual(["The request log is written again: 6 lines are lost."]);
    log.write({ writer: "late", n: 0 });
    log.close();
    expectEachLineOnce(folder, { early: 1, large: 4, late: 1 });
  });

  it.skipIf(isWithoutSmallDisk())(
    "contains no partial line on a full disk, and every line after space is free (where a disk can be mounted)",
    async () => {
      const printed = vi.spyOn(console, "error").mockImplementation(() => {});
      const disk = mountSmallDisk(1);
      if (!disk) throw new Error("no disk");
      try {
        const log = createLogWriter("file", disk.folder);
        for (let n = 0; n < 5_000; n += 1) log.write({ writer: "a", n, more: "x".repeat(400) });
        await expect.poll(() => printed.mock.calls.length, { timeout: 10_000 }).toBe(1);
        expect(printed.mock.calls).toEqual([[expect.stringMatching(/ENOSPC/)]]);
        const first = readFileSync(logFile(disk.folder), "utf8");
        expect(first.endsWith("\n")).toBe(true);
        // Frees space like a log rotation.
        const folder = newFolder();
        copyFileSync(logFile(disk.folder), join(folder, "requests-first.jsonl"));
        disk.free();
        truncateSync(logFile(disk.folder));
        await wait(600);
        copyFileSync(logFile(disk.folder), join(folder, "requests-second.jsonl"));
        truncateSync(logFile(disk.folder));
        await wait(600);
        log.close();
        copyFileSync(logFile(disk.folder), join(folder, "requests-third.jsonl"));
        expectEachLineOnce(folder, { a: 5_000 });
      } finally {
        disk.unmount();
      }
    },
  );
});

describeOnEngines("a server on %s whose log cannot be written", (engine) => {
  it("responds as usual, prints one warning and writes all lines once the file is writable", async () => {
    const DATA_DIR = newFolder(engine === "PGlite" ? "seeded" : "empty");
    mkdirSync(logFile(DATA_DIR));
    const env = engine === "PGlite" ? { DATA_DIR } : withPostgres(await newPostgres(), DATA_DIR);
    const server = await startServer({ ...env, REQUEST_LOG: "file" });
    const ids: (string | null)[] = [];
    const sendRequest = async () => {
      const response = await clientAt(server.origin).send(contract.goodsLists);
      expect(response.status).toBe(200);
      ids.push(response.headers.get("x-request-id"));
    };
    for (let n = 0; n < 20; n += 1) await sendRequest();
    await expect.poll(server.output).toContain("The request log cannot be written");
    rmdirSync(logFile(DATA_DIR));
    await expect.poll(server.output).toContain("The request log is written again: 0 lines are lost.");
    await sendRequest();
    server.child.kill("SIGINT");
    const { output } = await server.ended;
    expect(output.match(/cannot be written/g)).toHaveLength(1);
    const lines = readFileSync(logFile(DATA_DIR), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  });
});
