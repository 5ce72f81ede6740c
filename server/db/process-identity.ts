import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../lib/errors.ts";

/** The process that holds a lock. Systems reuse process ids; an id with its start time and the machine's boot id is unique within a PID namespace. */
export interface Holder {
  key: string;
  pid: number;
  started: string;
  boot: string;
  /** The PID namespace: process ids have no meaning in another one. */
  namespace: string;
  host: string;
  at: string;
}

/** Describes the current process as a holder. */
export function currentProcess(): Holder {
  return {
    key: randomUUID(),
    pid: process.pid,
    started: getStartTime(process.pid) ?? "",
    boot: getBootId(),
    namespace: getPidNamespace(),
    host: hostname(),
    at: new Date().toISOString(),
  };
}

/** Parses a lock file's text; null when it names no holder. */
export function parseHolder(text: string): Holder | null {
  try {
    const value: Partial<Holder> | null = JSON.parse(text);
    const { key, pid, started = "", boot = "", namespace = "", host = "", at = "" } = value ?? {};
    return typeof pid === "number" && typeof key === "string" ? { key, pid, started, boot, namespace, host, at } : null;
  } catch {
    return null;
  }
}

/** Returns whether this process can inspect the holder's: same machine, same boot, same PID namespace. Host names are not unique. */
export function isVisible({ boot, namespace, host }: Holder): boolean {
  return boot === getBootId() && namespace === getPidNamespace() && (boot !== "" || host === hostname());
}

/** Returns whether the holder's process still runs, as opposed to another one with its id. Requires a visible holder. */
export function isRunning({ pid, started }: Holder): boolean {
  if (!exists(pid)) return false;
  const current = getStartTime(pid);
  return current === null || started === "" || current === started;
}

export function describeHolder({ pid, host, at }: Holder): string {
  return `process ${pid} on ${host}, since ${at}`;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return hasCode(error, "EPERM");
  }
}

/** Returns when a process started, in the system's format; null when that is unknown. */
function getStartTime(pid: number): string | null {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    // Fields are counted after the name in brackets, which may contain anything. Field 22 is the start, in ticks since boot.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function getPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function getBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
