import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import type { Response } from "./client.ts";
import { assert, assertEqual } from "./client.ts";
import { type ConformanceContext, type Group, getSecondToken, missing, newRequestId, requireValue } from "./context.ts";

/** Headers that differ in every response. */
const volatileHeaders =
  /^(date|age|connection|keep-alive|via|server-timing|cf-ray|x-(request|trace|correlation|amz).*|(x-)?ratelimit-.*)$/;

function getBytes({ status, headers, text }: Response) {
  return { status, text, headers: [...headers].filter(([name]) => !volatileHeaders.test(name)) };
}

/** Fails unless the responses for another member's data and for missing data are equal, byte for byte, in both languages. */
async function assertSameResponse(
  context: ConformanceContext,
  call: Call,
  foreignPayload: object,
  unknownPayload: object,
): Promise<void> {
  for (const locale of ["zh-CN", "en-US"]) {
    const options = { token: getSecondToken(context), locale };
    const foreignResponse = await context.client.expectError("notFound", call, foreignPayload, options);
    const unknownResponse = await context.client.expectError("notFound", call, unknownPayload, options);
    assertEqual(getBytes(foreignResponse), getBytes(unknownResponse), `the response of ${call.path} for another member's data`);
    assert(foreignResponse.envelope.data === null, `${call.path} returns data with 10003`);
  }
}

const orders: [
  title: string,
  getOrder: (context: ConformanceContext) => { order_sn: string } | undefined,
  calls: Call[],
  unknownSn: string,
][] = [
  ["goods order", ({ goodsOrder }) => goodsOrder?.order, [contract.mallOrderInfo, contract.mallPayCode], missing.mall],
  [
    "package order",
    ({ packageOrder }) => packageOrder?.order,
    [contract.packageOrderInfo, contract.packagePayCode],
    missing.package,
  ],
];

export const otherMember: Group = {
  name: "another member's",
  checks: [
    [
      "address returns the same bytes as an unknown one",
      async (context) => {
        const { address_id, is_default, name, mobile, region_code, detail } = requireValue(
          context.address,
          "no address was created",
        );
        const fields = { name, mobile, region_code, detail, is_default };
        await assertSameResponse(
          context,
          contract.addressUp,
          { ...fields, address_id },
          { ...fields, address_id: missing.address },
        );
        await assertSameResponse(context, contract.addressDel, { address_id }, { address_id: missing.address });
      },
    ],
    [
      "address cannot be used for an order",
      async (context) => {
        const { payload } = requireValue(context.goodsOrder, "no goods order was created");
        const order = { ...payload, client_request_id: newRequestId() };
        await assertSameResponse(context, contract.mallCreateOrder, order, { ...order, address_id: missing.address });
      },
    ],
    ...orders.map(([title, getOrder, calls, unknownSn]): Group["checks"][number] => [
      `${title} and its pay code return the same bytes as unknown ones`,
      async (context) => {
        const { order_sn } = requireValue(getOrder(context), "no order was created");
        for (const call of calls) await assertSameResponse(context, call, { order_sn }, { order_sn: unknownSn });
      },
    ]),
    [
      "data is not in the lists of the second member",
      async (context) => {
        const token = getSecondToken(context);
        const texts = [
          await context.client.call(contract.mallOrderList, { page: 1, page_size: 50 }, { token }),
          await context.client.call(contract.packageOrderLists, undefined, { token }),
          await context.client.call(contract.addressLists, undefined, { token }),
        ].map(({ text }) => text);
        const ownIds = [context.goodsOrder?.order.order_sn, context.packageOrder?.order.order_sn, context.address?.address_id];
        for (const id of ownIds)
          assert(!id || !texts.some((text) => text.includes(id)), `${id} is in a list of the second member`);
      },
    ],
  ],
};
