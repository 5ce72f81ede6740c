import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Who has a lock: the number of a process is used again, its number with its start and the machine's boot is not, within a PID namespace. */
export interface Holder {
  key: string;
  pid: number;
  started: string;
  boot: string;
  /** Of its PID namespace: numbers of processes mean nothing in another one. */
  namespace: string;
  host: string;
  at: string;
}

export function currentProcess(): Holder {
  return {
    key: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    boot: bootOf(),
    namespace: namespaceOf(),
    host: hostname(),
    at: new Date().toISOString(),
  };
}

/** The holder that a lock's text names, or null. */
export function holderIn(text: string): Holder | null {
  try {
    const read: Partial<Holder> | null = JSON.parse(text);
    const { key, pid, started = "", boot = "", namespace = "", host = "", at = "" } = read ?? {};
    return typeof pid === "number" && typeof key === "string" ? { key, pid, started, boot, namespace, host, at } : null;
  } catch {
    return null;
  }
}

/** Whether its process, if it still runs, can be looked at from here: same machine, not restarted since, same PID namespace. Names of hosts are not unique. */
export function isVisible({ boot, namespace, host }: Holder): boolean {
  return boot === bootOf() && namespace === namespaceOf() && (boot !== "" || host === hostname());
}

/** Whether the process that wrote this is the one that has its number now. Only for holders that are visible. */
export function isRunning({ pid, started }: Holder): boolean {
  if (!answers(pid)) return false;
  const start = startOf(pid);
  return start === null || started === "" || start === started;
}

export function describeHolder({ pid, host, at }: Holder): string {
  return `process ${pid} on ${host}, since ${at}`;
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process began, in the system's own words; null when that cannot be known. */
function startOf(pid: number): string | null {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    // The name, in brackets, may hold anything: fields are counted after it. The 22nd of all is the start, in ticks since boot.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function namespaceOf(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function bootOf(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
