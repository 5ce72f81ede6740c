import { table } from "../../src/api/table.ts";
import { clearAddress } from "./address.ts";
import { type ConformanceContext, type Group, getToken, newRequestId, requireValue } from "./context.ts";
import { pickGoods } from "./fixtures.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

const getOrderSn = ({ order_sn }: { order_sn: string }) => order_sn;
const getGoodsOrder = ({ goodsOrder }: ConformanceContext) => requireValue(goodsOrder, "no order of goods was made");

export const orderList: Group = {
  name: "order lists",
  checks: [
    [
      "an order is in its list as it is by itself",
      async (context) => {
        const token = getToken(context);
        const { order } = getGoodsOrder(context);
        const goods = await context.client.data(table.mallOrderList, { page: 1, page_size: 50 }, { token });
        assertEqual(
          goods.list.find(({ order_sn }) => order_sn === order.order_sn),
          order,
          "the order of goods in its list",
        );
        const pass = requireValue(context.passOrder, "no order of a pass was made").order;
        const { list } = await context.client.data(table.packageOrderLists, undefined, { token });
        assertEqual(
          list.find(({ order_sn }) => order_sn === pass.order_sn),
          pass,
          "the order of a pass in its list",
        );
        assert(
          !list.some(({ kind }) => kind !== "package") && !goods.list.some(({ kind }) => kind !== "goods"),
          "a list holds orders of the other kind",
        );
      },
    ],
    [
      "pages put together are the list, the newest first",
      async (context) => {
        const token = getToken(context);
        const { payload } = getGoodsOrder(context);
        const second = await context.client.data(
          table.mallCreateOrder,
          { ...payload, client_request_id: newRequestId() },
          { token },
        );
        context.left.push(`an unpaid order, ${second.order_sn}, which closes by itself`);
        const page = (page: number, page_size: number) =>
          context.client.data(table.mallOrderList, { page, page_size }, { token });
        const [one, two, both, beyond] = [await page(1, 1), await page(2, 1), await page(1, 2), await page(9999, 50)];
        assertEqual([...one.list, ...two.list].map(getOrderSn), both.list.map(getOrderSn), "two pages of one");
        assertEqual([both.list.length, one.list.length, beyond.list.length], [2, 1, 0], "the lengths of pages");
        assertEqual(both.list[0]?.order_sn, second.order_sn, "the first order");
        assert(one.total >= 2 && one.total === both.total, `total is ${one.total} and ${both.total}`);
        assertEqual([two.page, two.page_size], [2, 1], "page and page_size");
        const times = (await page(1, 50)).list.map(({ created_at }) => Date.parse(created_at));
        assertEqual(
          times,
          times.toSorted((a, b) => b - a),
          "the times of orders",
        );
      },
    ],
    [
      "pages that cannot be are 10002",
      async (context) => {
        const token = getToken(context);
        for (const wrong of [
          { page: 0, page_size: 10 },
          { page: 1, page_size: 51 },
          { page: 1, page_size: 0 },
          { page: "1", page_size: 10 },
        ]) {
          await context.client.expectError("badParameter", table.mallOrderList, wrong, { token });
        }
      },
    ],
    [
      "more than one member may have is 30002, more than there is 30001",
      async (context) => {
        const token = getToken(context);
        const { goods, sku, postage } = await pickGoods(context);
        const { payload } = getGoodsOrder(context);
        const limit = goods.limit_per_member;
        const quantity = Math.min(limit, sku.stock) + 1;
        if (quantity > 99) throw new Skipped("one order may not hold so many");
        const sum = sku.pay_fen * quantity;
        const tooMany = {
          ...payload,
          goods_uid: goods.goods_uid,
          sku_uid: sku.sku_uid,
          quantity,
          expected_pay_fen: sum + postage(sum),
        };
        await context.client.expectError(
          limit <= sku.stock ? "overLimit" : "soldOut",
          table.mallCreateOrder,
          { ...tooMany, client_request_id: newRequestId() },
          { token },
        );
      },
    ],
    [
      "limits count what is ordered, and stock is taken",
      async (context) => {
        const { order } = getGoodsOrder(context);
        const [item] = order.items;
        const goods_uid = requireValue(item, "the order has no line").uid;
        const [visitor, member] = [
          await context.client.data(table.goodsInfo, { goods_uid }),
          await context.client.data(table.goodsInfo, { goods_uid }, { token: getToken(context) }),
        ];
        assert(
          member.info.limit_per_member <= visitor.info.limit_per_member - 2,
          `the member may still have ${member.info.limit_per_member} of ${visitor.info.limit_per_member}`,
        );
      },
    ],
    [
      "an order keeps its copy of an address that is deleted",
      async (context) => {
        const { order } = getGoodsOrder(context);
        const address = requireValue(context.address, "no address was made");
        await clearAddress(context);
        const { info } = await context.client.data(
          table.mallOrderInfo,
          { order_sn: order.order_sn },
          { token: getToken(context) },
        );
        const { address_id: _id, is_default: _default, ...copy } = address;
        const fields = Object.keys(copy).sort();
        assertEqual(
          fields.map((field) => Object(info.address)[field]),
          fields.map((field) => Object(copy)[field]),
          "the address of the order",
        );
      },
    ],
  ],
};
