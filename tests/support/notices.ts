import { contract } from "../../src/api/contract.ts";
import { clientAt } from "./client.ts";
import { createTotePayload } from "./load.ts";
import { createLoadUsers } from "./load-users.ts";
import type { TwoServers } from "./two-servers.ts";
import { transaction, type WechatStub } from "./wechat.ts";

/** Sends `each` notices for each of `size` payments to both servers, shuffled, with duplicates and forgeries. */
export async function sendShuffledNotices(servers: TwoServers, wechat: WechatStub, size: number, each: number) {
  await servers.query("update skus set stock = 100000 where uid = 'tote'");
  const soldBefore = await servers.number("select sold from goods where uid = 'tote'");
  const users = await createLoadUsers(servers.query, size);
  const orders = await Promise.all(
    users.map((user, n) =>
      clientAt(servers.origin(n)).call(contract.mallCreateOrder, createTotePayload(user.addressId), { token: user.token }),
    ),
  );
  const sns = orders.map(({ order_sn }) => order_sn);
  const genuine = sns.flatMap((orderSn) => {
    const payment = transaction(orderSn, 11_000);
    // Repeats the same notice and adds others of the same payment.
    const first = wechat.notice(payment);
    return Array.from({ length: each }, (_, n) => (n % 2 ? first : wechat.notice(payment)));
  });
  const forged = sns.slice(0, 30).map((orderSn) => wechat.notice(transaction(orderSn, 11_000), { stranger: true }));
  const all = [...genuine.map((notice) => ({ notice, status: 200 })), ...forged.map((notice) => ({ notice, status: 401 }))];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const otherIndex = Math.floor(Math.random() * (at + 1));
    const [left, right] = [all[at], all[otherIndex]];
    if (left && right) [all[at], all[otherIndex]] = [right, left];
  }
  let unexpected = 0;
  for (let from = 0; from < all.length; from += 50) {
    const batch = all.slice(from, from + 50).map(async ({ notice, status }, n) => {
      const response = await fetch(`${servers.origin(n)}/pay/wechat/notice`, {
        method: "POST",
        headers: notice.headers,
        body: notice.body,
      });
      await response.arrayBuffer();
      if (response.status !== status) unexpected += 1;
    });
    await Promise.all(batch);
  }
  const rows = await servers.query("select status from orders where order_sn = any($1)", [sns]);
  return {
    unexpected,
    paid: rows.filter(({ status }) => status === "paid").length,
    payments: (await servers.query("select from payments where order_sn = any($1)", [sns])).length,
    sold: (await servers.number("select sold from goods where uid = 'tote'")) - soldBefore,
  };
}
