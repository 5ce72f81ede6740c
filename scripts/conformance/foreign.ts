import type { Call } from "../../src/api/call.ts";
import { table } from "../../src/api/table.ts";
import type { Response } from "./client.ts";
import { type ConformanceContext, type Group, missing, needed, newRequestId, strangerOf } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";

/** Headers that differ from answer to answer by their nature. */
const ofTheMoment =
  /^(date|age|connection|keep-alive|via|server-timing|cf-ray|x-(request|trace|correlation|amz).*|(x-)?ratelimit-.*)$/;

function bytesOf({ status, headers, text }: Response) {
  return { status, text, headers: [...headers].filter(([name]) => !ofTheMoment.test(name)) };
}

/** What is another member's is answered like what is not there, byte for byte, in both languages. */
async function alike(ground: ConformanceContext, call: Call, foreign: object, absent: object): Promise<void> {
  for (const locale of ["zh-CN", "en-US"]) {
    const how = { token: strangerOf(ground), locale };
    const theirs = await ground.wire.refusal("notFound", call, foreign, how);
    const none = await ground.wire.refusal("notFound", call, absent, how);
    assertEqual(bytesOf(theirs), bytesOf(none), `the answer of ${call.path} about another member's`);
    assert(theirs.envelope.data === null, `${call.path} tells more than that it is not there`);
  }
}

const orders: [
  says: string,
  orderOf: (ground: ConformanceContext) => { order_sn: string } | undefined,
  calls: Call[],
  none: string,
][] = [
  ["order of goods", ({ goodsOrder }) => goodsOrder?.order, [table.mallOrderInfo, table.mallPayCode], missing.mall],
  ["order of a pass", ({ passOrder }) => passOrder?.order, [table.packageOrderInfo, table.packagePayCode], missing.pass],
];

export const foreign: Group = {
  name: "another member's",
  checks: [
    [
      "address is answered like a missing one, byte for byte",
      async (ground) => {
        const { address_id, is_default, name, mobile, region_code, detail } = needed(ground.address, "no address was made");
        const form = { name, mobile, region_code, detail, is_default };
        await alike(ground, table.addressUp, { ...form, address_id }, { ...form, address_id: missing.address });
        await alike(ground, table.addressDel, { address_id }, { address_id: missing.address });
      },
    ],
    [
      "address cannot be ordered to",
      async (ground) => {
        const { payload } = needed(ground.goodsOrder, "no order of goods was made");
        const wanted = { ...payload, client_request_id: newRequestId() };
        await alike(ground, table.mallCreateOrder, wanted, { ...wanted, address_id: missing.address });
      },
    ],
    ...orders.map(([says, orderOf, calls, none]): Group["checks"][number] => [
      `${says} and its pay code are answered like missing ones, byte for byte`,
      async (ground) => {
        const { order_sn } = needed(orderOf(ground), "no order was made");
        for (const call of calls) await alike(ground, call, { order_sn }, { order_sn: none });
      },
    ]),
    [
      "things are in nobody else's lists",
      async (ground) => {
        const token = strangerOf(ground);
        const texts = [
          await ground.wire.ask(table.mallOrderList, { page: 1, page_size: 50 }, { token }),
          await ground.wire.ask(table.packageOrderLists, undefined, { token }),
          await ground.wire.ask(table.addressLists, undefined, { token }),
        ].map(({ text }) => text);
        const own = [ground.goodsOrder?.order.order_sn, ground.passOrder?.order.order_sn, ground.address?.address_id];
        for (const id of own) assert(!id || !texts.some((text) => text.includes(id)), `${id} is in a stranger's list`);
      },
    ],
  ],
};
