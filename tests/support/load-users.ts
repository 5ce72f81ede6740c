import { createHash, randomBytes, randomUUID } from "node:crypto";

/** A logged-in member with an address. */
export interface LoadUser {
  memberId: string;
  token: string;
  addressId: string;
}

let last = 0;

type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** Inserts members with a session and an address directly, because as many logins would take minutes. */
export async function createLoadUsers(run: Run, size: number): Promise<LoadUser[]> {
  const users = Array.from({ length: size }, () => ({
    memberId: randomUUID(),
    addressId: randomUUID(),
    token: randomBytes(32).toString("base64url"),
    mobile: `150${String(++last).padStart(8, "0")}`,
  }));
  const ids = users.map(({ memberId }) => memberId);
  const hashes = users.map(({ token }) => createHash("sha256").update(token).digest("hex"));
  await run(
    `insert into members (id, mobile, nickname, activated, created_at)
     select id, mobile, 'x', true, now() from unnest($1::uuid[], $2::text[]) as crowd (id, mobile)`,
    [ids, users.map(({ mobile }) => mobile)],
  );
  await run(
    `insert into sessions (member_id, token_hash, created_at, seen_at, expires_at)
     select id, hash, now(), now(), now() + interval '1 day' from unnest($1::uuid[], $2::text[]) as crowd (id, hash)`,
    [ids, hashes],
  );
  await run(
    `insert into addresses (id, member_id, name, mobile, region_code, detail, is_default, created_at)
     select address, id, '小满', '13800138000', '310104', 'Road 1', true, now() from unnest($1::uuid[], $2::uuid[]) as crowd (id, address)`,
    [ids, users.map(({ addressId }) => addressId)],
  );
  return users;
}
