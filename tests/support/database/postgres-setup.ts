import type { TestProject } from "vitest/node";
import { createShop } from "./fixture.ts";
import { findPostgres, startPostgres } from "./postgres.ts";

export const template = "entrance_template";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL prefix of this run's PostgreSQL, as `…/`; null without PostgreSQL. */
    postgres: string | null;
  }
}

/** Starts one PostgreSQL for the run, with a migrated and seeded template database. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Everything on PostgreSQL is tagged `full`.
  if (project.vitest.config.tagsFilter?.includes("!full")) {
    project.provide("postgres", null);
    return undefined;
  }
  const bin = findPostgres();
  if (!bin) {
    const message = "PostgreSQL was not found: tests on it are skipped (Debian: apt-get install postgresql)";
    if (process.env.CI || process.env.REQUIRE_POSTGRES) throw new Error(message);
    console.warn(message);
    project.provide("postgres", null);
    return undefined;
  }
  const postgres = await startPostgres(bin);
  await postgres.run(`create database ${template}`);
  await createShop(postgres.url(template));
  project.provide("postgres", postgres.url(""));
  return () => postgres.stop();
}
