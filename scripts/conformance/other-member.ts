import type { Call } from "../../src/api/call.ts";
import { table } from "../../src/api/table.ts";
import type { Response } from "./client.ts";
import { type ConformanceContext, type Group, getStrangerToken, missing, newRequestId, requireValue } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";

/** Headers that differ in every response. */
const ofTheMoment =
  /^(date|age|connection|keep-alive|via|server-timing|cf-ray|x-(request|trace|correlation|amz).*|(x-)?ratelimit-.*)$/;

function getBytes({ status, headers, text }: Response) {
  return { status, text, headers: [...headers].filter(([name]) => !ofTheMoment.test(name)) };
}

/** Fails unless the responses for another member's data and for missing data are equal, byte for byte, in both languages. */
async function assertSameResponse(context: ConformanceContext, call: Call, foreign: object, absent: object): Promise<void> {
  for (const locale of ["zh-CN", "en-US"]) {
    const how = { token: getStrangerToken(context), locale };
    const theirs = await context.client.expectError("notFound", call, foreign, how);
    const none = await context.client.expectError("notFound", call, absent, how);
    assertEqual(getBytes(theirs), getBytes(none), `the answer of ${call.path} about another member's`);
    assert(theirs.envelope.data === null, `${call.path} tells more than that it is not there`);
  }
}

const orders: [
  title: string,
  getOrder: (context: ConformanceContext) => { order_sn: string } | undefined,
  calls: Call[],
  none: string,
][] = [
  ["order of goods", ({ goodsOrder }) => goodsOrder?.order, [table.mallOrderInfo, table.mallPayCode], missing.mall],
  ["order of a pass", ({ passOrder }) => passOrder?.order, [table.packageOrderInfo, table.packagePayCode], missing.pass],
];

export const otherMember: Group = {
  name: "another member's",
  checks: [
    [
      "address is answered like a missing one, byte for byte",
      async (context) => {
        const { address_id, is_default, name, mobile, region_code, detail } = requireValue(
          context.address,
          "no address was made",
        );
        const form = { name, mobile, region_code, detail, is_default };
        await assertSameResponse(context, table.addressUp, { ...form, address_id }, { ...form, address_id: missing.address });
        await assertSameResponse(context, table.addressDel, { address_id }, { address_id: missing.address });
      },
    ],
    [
      "address cannot be ordered to",
      async (context) => {
        const { payload } = requireValue(context.goodsOrder, "no order of goods was made");
        const order = { ...payload, client_request_id: newRequestId() };
        await assertSameResponse(context, table.mallCreateOrder, order, { ...order, address_id: missing.address });
      },
    ],
    ...orders.map(([title, getOrder, calls, none]): Group["checks"][number] => [
      `${title} and its pay code are answered like missing ones, byte for byte`,
      async (context) => {
        const { order_sn } = requireValue(getOrder(context), "no order was made");
        for (const call of calls) await assertSameResponse(context, call, { order_sn }, { order_sn: none });
      },
    ]),
    [
      "things are in nobody else's lists",
      async (context) => {
        const token = getStrangerToken(context);
        const texts = [
          await context.client.call(table.mallOrderList, { page: 1, page_size: 50 }, { token }),
          await context.client.call(table.packageOrderLists, undefined, { token }),
          await context.client.call(table.addressLists, undefined, { token }),
        ].map(({ text }) => text);
        const own = [context.goodsOrder?.order.order_sn, context.passOrder?.order.order_sn, context.address?.address_id];
        for (const id of own) assert(!id || !texts.some((text) => text.includes(id)), `${id} is in a stranger's list`);
      },
    ],
  ],
};
