import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import getPort from "get-port";
import { Client } from "pg";

export interface Postgres {
  /** The folder of its socket, which trusts everybody. */
  socketFolder: string;
  /** Returns the URL of the database with this name. */
  url(database: string): string;
  run(sql: string): Promise<void>;
  /** Lets a role in with its password alone; by itself, this PostgreSQL trusts everybody. */
  requirePassword(role: string): Promise<void>;
  /** Kills it with all its processes; `restart` starts it on the same data at the same address. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Freezes it with its connections open, like a machine that hangs; `resume` continues it. */
  freeze(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Returns the folder of PostgreSQL's programs, or null. */
export function findPostgres(): string | null {
  const onPath = (process.env.PATH ?? "").split(":").filter((folder) => existsSync(join(folder, "initdb")));
  const packaged = globSync("/usr/lib/postgresql/*/bin").sort().reverse();
  const folder = [...onPath, ...packaged].find((folder) => existsSync(join(folder, "postgres")));
  // A folder of links may lack some of the programs.
  return folder ? dirname(realpathSync(join(folder, "postgres"))) : null;
}

/** Starts a separate PostgreSQL on a free port, with its data in a temporary folder of `parent`; as a standby where `primary` is the URL of another one. */
export async function startPostgres(bin: string, more: string[] = [], parent = tmpdir(), primary?: string): Promise<Postgres> {
  const folder = mkdtempSync(join(parent, "entrance-postgres-"));
  // PostgreSQL refuses to run as root.
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? userIds("postgres") : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const quiet = { cwd: folder, stdio: "pipe", ...user } as const;
  if (primary) execFileSync(join(bin, "pg_basebackup"), ["-D", data, "-d", primary, "-R", "-c", "fast", "-N"], quiet);
  else
    execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], quiet);
  let port = await getPort();
  const settings = [
    "fsync=off",
    "max_connections=150",
    `unix_socket_directories=${folder}`,
    "listen_addresses=127.0.0.1",
    ...more,
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const start = () => {
    // Runs in its own process group, so that a kill ends all of it; execa would end it with SIGTERM, on which PostgreSQL waits for its clients.
    const server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...options], {
      ...quiet,
      stdio: "ignore",
      detached: true,
    });
    return { server, ended: once(server, "exit") };
  };
  let running = start();
  const atExit = () => running.server.kill("SIGQUIT");
  process.once("exit", atExit);

  // Signals the server and its children, each in its own process group.
  const signalAll = (signal: NodeJS.Signals) => {
    const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    const pairs = processes.map((line) => line.trim().split(/\s+/).map(Number));
    for (const [pid, parent] of pairs) if (pid && [pid, parent].includes(running.server.pid)) process.kill(pid, signal);
  };
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const run = async (sql: string) => {
    const client = new Client(url("postgres"));
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  // Between the choice of a port and its use, another program may take it, such as the PostgreSQL of another test: that one would answer.
  const isOwn = async () => {
    const inOwnFolder = `do $$ begin assert current_setting('data_directory') = '${data}'; end $$`;
    return waitUntilReady(run)
      .then(() => run(inOwnFolder))
      .then(
        () => true,
        () => false,
      );
  };
  for (let tries = 5; !(await Promise.race([isOwn(), running.ended.then(() => false)])); tries -= 1) {
    if (tries === 0) throw new Error(`PostgreSQL does not start in ${folder}`);
    running.server.kill("SIGKILL");
    port = await getPort();
    running = start();
  }
  return {
    socketFolder: folder,
    url,
    run,
    async requirePassword(role) {
      const file = join(data, "pg_hba.conf");
      writeFileSync(file, `host all ${role} 127.0.0.1/32 scram-sha-256\n${readFileSync(file, "utf8")}`);
      await run("select pg_reload_conf()");
    },
    async kill() {
      if (running.server.pid) process.kill(-running.server.pid, "SIGKILL");
      await running.ended;
    },
    async restart() {
      running = start();
      await waitUntilReady(run);
    },
    freeze: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    async stop() {
      process.off("exit", atExit);
      running.server.kill("SIGINT");
      await running.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function waitUntilReady(run: (sql: string) => Promise<void>): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await run("select 1");
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
