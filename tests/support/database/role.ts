import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";

/** Opens a connection of the administrator to a database of the tests. */
export async function connect(url: string) {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
}

/** Creates a role, and returns its name with a function that puts it into a URL. */
export async function createRole(run: (text: string) => Promise<unknown>, options = "") {
  const role = `role_${randomUUID().replaceAll("-", "")}`;
  await run(`create role ${role} login ${options}`);
  onTestFinished(async () => {
    const administrator = new Client(`${inject("postgres")}postgres`);
    await administrator.connect();
    await administrator.query(`alter role ${role} rename to ${role}_old`).finally(() => administrator.end());
  });
  return { role, as: (url: string) => url.replace("postgres@", `${role}@`) };
}
