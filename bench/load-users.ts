import { createHash, randomBytes } from "node:crypto";
import type { Client } from "pg";

/** Creates members by number, which pgbench can calculate. Each has an address, a session and an order, and no effective limit per item. */
export async function createLoadUsers(client: Client, size: number) {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const users = Array.from({ length: size }, (_, n) => ({
    memberId: uuid(md5(`member${n + 1}`)),
    addressId: uuid(md5(`address${n + 1}`)),
    token: randomBytes(32).toString("base64url"),
    orderSn: `M${String(n).padStart(12, "0")}BBBBBBBB`,
  }));
  const hashes = users.map(({ token }) => createHash("sha256").update(token).digest("hex"));
  await client.query(
    `insert into members (id, mobile, nickname, activated, created_at)
     select md5('member' || n)::uuid, '150' || lpad(n::text, 8, '0'), 'x', true, now() from generate_series(1, ${size}) n`,
  );
  await client.query(
    `insert into sessions (member_id, token_hash, created_at, seen_at, expires_at)
     select md5('member' || n)::uuid, hash, now(), now(), now() + interval '1 day'
     from unnest($1::text[]) with ordinality as hashes (hash, n)`,
    [hashes],
  );
  await client.query(
    `insert into addresses (id, member_id, name, mobile, region_code, detail, is_default, created_at)
     select md5('address' || n)::uuid, md5('member' || n)::uuid, '小满', '13800138000', '310104', 'Road 1', true, now()
     from generate_series(1, ${size}) n`,
  );
  await client.query("update skus set stock = 2000000000 where uid = 'tote'");
  // The fields are those of an order that the server created.
  const city = JSON.stringify({ "zh-CN": "上海", "en-US": "Shanghai" });
  const address = `{"name":"小满","mobile":"13800138000","region_code":"310104","province":${city},"city":${city},"district":${city},"detail":"Road 1"}`;
  await client.query(
    `insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at)
     select 'M' || lpad((n - 1)::text, 12, '0') || 'BBBBBBBB', md5('member' || n)::uuid, 'goods', 'pending', 9800, 1200, 11000,
       $1::jsonb, now(), now() + interval '1 day' from generate_series(1, ${size}) n`,
    [address],
  );
  await client.query(
    `insert into order_lines (order_sn, uid, sku_uid, title, spec, image, pay_fen, quantity)
     select order_sn, 'tote', 'tote', goods.title, '{"zh-CN":"","en-US":""}', jsonb_build_object('zh-CN', goods.images->'zh-CN'->0, 'en-US', goods.images->'en-US'->0), 9800, 1 from orders, goods
     where goods.uid = 'tote' and order_sn like '%BBBBBBBB'`,
  );
  // No member reaches this limit, but the server still checks it. The constraint allows 99.
  await client.query("alter table goods drop constraint goods_limit");
  await client.query("update goods set limit_per_member = 1000000 where uid = 'tote'");
  return users;
}
