import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Config } from "../config/config.ts";
import { randomToken } from "../lib/crypto.ts";
import type { Database } from "./database.ts";
import { settings } from "./schema/session.ts";

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

async function readFromDatabase(db: Database): Promise<string> {
  await db.insert(settings).values({ name: "secret_key", value: randomToken() }).onConflictDoNothing();
  const [row] = await db.select().from(settings).where(eq(settings.name, "secret_key"));
  if (!row) throw new Error("the secret key is not in the settings");
  return row.value;
}
