import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import type { Config } from "#server/config/config.ts";
import { randomToken } from "#server/lib/crypto.ts";
import { concertId } from "#src/api/paths.ts";
import type { Database } from "./database.ts";
import { concerts, members } from "./schema/member.ts";
import { settings } from "./schema/session.ts";

// What every start of a server makes sure of; what exists stays unchanged, and then nothing is written: a database may be read-only.

/** Inserts the concert of the plan, which every database requires. */
export async function insertConcert(db: Database): Promise<void> {
  if ((await db.$count(concerts, eq(concerts.id, concertId))) > 0) return;
  await db.insert(concerts).values({ id: concertId }).onConflictDoNothing();
}

/** Inserts the two members of the demo. */
export async function insertDemoMembers(db: Database, now: Date): Promise<void> {
  const demoMembers = [
    { mobile: "13800138000", account: "demo", nickname: "小满", activated: true, createdAt: now },
    { mobile: "13800138001", account: null, nickname: "阿岸", activated: false, createdAt: now },
  ];
  const mobiles = demoMembers.map(({ mobile }) => mobile);
  if ((await db.$count(members, inArray(members.mobile, mobiles))) === demoMembers.length) return;
  await db.insert(members).values(demoMembers).onConflictDoNothing();
}

type Settings = Pick<Config, "SECRET_KEY" | "DATABASE_URL" | "DATA_DIR">;

/** Returns SECRET_KEY, or a key that is generated once: stored in a file beside the embedded database, or in PostgreSQL for all processes. */
export async function getSecretKey(config: Settings, db: Database): Promise<Buffer> {
  if (config.SECRET_KEY) return Buffer.from(config.SECRET_KEY);
  return Buffer.from(config.DATABASE_URL ? await readFromDatabase(db) : readFromFile(join(config.DATA_DIR, "secret.key")));
}

function readFromFile(file: string): string {
  if (!existsSync(file)) {
    const temporaryFile = `${file}.new`;
    writeFileSync(temporaryFile, randomToken(), { mode: 0o600 });
    linkSync(temporaryFile, file);
    rmSync(temporaryFile);
  }
  return readFileSync(file, "utf8");
}

/** Of several processes that create a key at once, all return the same. */
async function readFromDatabase(db: Database): Promise<string> {
  const find = () => db.select().from(settings).where(eq(settings.name, "secret_key"));
  const [existing] = await find();
  if (existing) return existing.value;
  await db.insert(settings).values({ name: "secret_key", value: randomToken() }).onConflictDoNothing();
  const [created] = await find();
  if (!created) throw new Error("the secret key is not in the settings");
  return created.value;
}
