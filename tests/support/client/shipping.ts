import { asc, eq } from "drizzle-orm";
import { shippingReports } from "#server/db/schema/shipping.ts";
import { formatTime } from "#server/lib/china-time.ts";
import type { Engine } from "../database/database.ts";
import type { TestServer } from "../processes/test-server.ts";
import type { Mutation } from "../races/mutations.ts";
import type { WechatServers } from "./wechat-servers.ts";

export const parcel = (tracking = "YT8800000000001", carrier = "圆通") => ["--carrier", carrier, "--tracking", tracking];

/** Creates a server with a buyer who has paid goods in WeChat, and helpers for what WeChat is told of them. */
export async function createSeller(servers: WechatServers, engine: Engine, mutations: Mutation[] = []) {
  const { wechat, withBuyer, pay } = servers;
  const created = await withBuyer(engine, { HOST_ORIGIN: "https://shop.test" }, mutations);
  const { server, buyer, post } = created;
  const stub = wechat.shippingStub;

  const report = async (sn: string, payFen?: number, changes: object = {}) => {
    const { status } = await post(wechat.notice(pay(sn, payFen, changes)));
    if (status !== 200) throw new Error(`the notice was refused: ${status}`);
    return sn;
  };
  /** Let WeChat report a payment whose payer it knows at once. */
  const paidAt = () => ({
    success_time: formatTime(server.now()),
  });
  return {
    ...created,
    stub,
    buy: async (changes: object = {}) => report(await buyer.order(), undefined, { ...paidAt(), ...changes }),
    buyPass: async () => report(await buyer.orderPackage(), 9800, paidAt()),
    ship: (sn: string, ...options: string[]) =>
      server.runOrdersCommand("ship", sn, ...(options.length > 0 ? options : parcel())),
    reports: (sn: string) => findReports(server, sn),
    /** Runs the scheduler after a while. */
    wait: async (seconds: number) => {
      server.advanceClock(seconds);
      await server.runScheduler();
    },
    unreported: () => server.runOrdersCommand("unreported"),
  };
}

export function findReports({ db }: TestServer, sn: string) {
  return db.select().from(shippingReports).where(eq(shippingReports.orderSn, sn)).orderBy(asc(shippingReports.id));
}
