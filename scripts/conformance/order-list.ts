import { contract } from "../../src/api/contract.ts";
import { maxQuantity } from "../../src/api/order-rules.ts";
import { clearAddress } from "./address.ts";
import { assert, assertEqual, CheckSkipped } from "./client.ts";
import { type ConformanceContext, type Group, getToken, newRequestId, pickGoods, requireValue } from "./context.ts";

const getOrderSn = ({ order_sn }: { order_sn: string }) => order_sn;
const getGoodsOrder = ({ goodsOrder }: ConformanceContext) => requireValue(goodsOrder, "no goods order was created");

export const orderList: Group = {
  name: "order lists",
  checks: [
    [
      "the list and the detail of an order are equal",
      async (context) => {
        const token = getToken(context);
        const { order } = getGoodsOrder(context);
        const goods = await context.client.data(contract.mallOrderList, { page: 1, page_size: 50 }, { token });
        assertEqual(
          goods.list.find(({ order_sn }) => order_sn === order.order_sn),
          order,
          "the goods order in its list",
        );
        const packageOrder = requireValue(context.packageOrder, "no package order was created").order;
        const { list } = await context.client.data(contract.packageOrderLists, undefined, { token });
        assertEqual(
          list.find(({ order_sn }) => order_sn === packageOrder.order_sn),
          packageOrder,
          "the package order in its list",
        );
        assert(
          !list.some(({ kind }) => kind !== "package") && !goods.list.some(({ kind }) => kind !== "goods"),
          "a list contains orders of the other kind",
        );
      },
    ],
    [
      "pages make up the whole list, newest first",
      async (context) => {
        const token = getToken(context);
        const { payload } = getGoodsOrder(context);
        const second = await context.client.data(
          contract.mallCreateOrder,
          { ...payload, client_request_id: newRequestId() },
          { token },
        );
        context.leftovers.push(`an unpaid order, ${second.order_sn}, which will close by itself`);
        const fetchPage = (page: number, page_size: number) =>
          context.client.data(contract.mallOrderList, { page, page_size }, { token });
        const [page1, page2, both, beyond] = [
          await fetchPage(1, 1),
          await fetchPage(2, 1),
          await fetchPage(1, 2),
          await fetchPage(9999, 50),
        ];
        assertEqual([...page1.list, ...page2.list].map(getOrderSn), both.list.map(getOrderSn), "two pages of one order");
        assertEqual([both.list.length, page1.list.length, beyond.list.length], [2, 1, 0], "the lengths of pages");
        assertEqual(both.list[0]?.order_sn, second.order_sn, "the first order");
        assert(page1.total >= 2 && page1.total === both.total, `total is ${page1.total} and ${both.total}`);
        assertEqual([page2.page, page2.page_size], [2, 1], "page and page_size");
        const times = (await fetchPage(1, 50)).list.map(({ created_at }) => Date.parse(created_at));
        assertEqual(
          times,
          times.toSorted((a, b) => b - a),
          "created_at in the list",
        );
      },
    ],
    [
      "a search, where the server has one, finds orders by a part of the number and of the title",
      async (context) => {
        const { order } = getGoodsOrder(context);
        const find = (search: string) =>
          context.client.data(contract.mallOrderList, { page: 1, page_size: 50, search }, { token: getToken(context) });
        const byNumber = await find(order.order_sn.slice(-8).toLowerCase());
        if (byNumber.search === undefined) throw new CheckSkipped("the server does not search");
        assertEqual([byNumber.list.map(getOrderSn), byNumber.total], [[order.order_sn], 1], "orders by number");
        const byTitle = await find(requireValue(order.items[0], "the order has no item").title);
        assert(byTitle.list.map(getOrderSn).includes(order.order_sn), "the order is not found by its item's title");
        assertEqual([(await find("no such order")).list, (await find("%")).total], [[], 0], "orders that do not match");
      },
    ],
    [
      "an invalid page or page_size returns 10002",
      async (context) => {
        const token = getToken(context);
        for (const invalid of [
          { page: 0, page_size: 10 },
          { page: 1, page_size: 51 },
          { page: 1, page_size: 0 },
          { page: "1", page_size: 10 },
        ]) {
          await context.client.expectError("badParameter", contract.mallOrderList, invalid, { token });
        }
      },
    ],
    [
      "more than the limit per member returns 30002, more than the stock 30001",
      async (context) => {
        const token = getToken(context);
        const { goods, sku, postage } = await pickGoods(context);
        const { payload } = getGoodsOrder(context);
        const limit = goods.limit_per_member;
        const quantity = Math.min(limit, sku.stock) + 1;
        if (quantity > maxQuantity) throw new CheckSkipped("the limit and the stock exceed the quantity of one order");
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
          contract.mallCreateOrder,
          { ...tooMany, client_request_id: newRequestId() },
          { token },
        );
      },
    ],
    [
      "an order counts towards the limit per member",
      async (context) => {
        const { order } = getGoodsOrder(context);
        const [item] = order.items;
        const goods_uid = requireValue(item, "the order has no item").uid;
        const [visitor, member] = [
          await context.client.data(contract.goodsInfo, { goods_uid }),
          await context.client.data(contract.goodsInfo, { goods_uid }, { token: getToken(context) }),
        ];
        assert(
          member.info.limit_per_member <= visitor.info.limit_per_member - 2,
          `limit_per_member is ${member.info.limit_per_member} after two orders, ${visitor.info.limit_per_member} for a visitor`,
        );
      },
    ],
    [
      "an unpaid order counts towards the limit of its pass, where there is one",
      async (context) => {
        const uid = requireValue(context.packageOrder?.order.items[0], "no package order was created").uid;
        const visitor = (await context.client.data(contract.packageInfo, { uid })).info;
        const member = (await context.client.data(contract.packageInfo, { uid }, { token: getToken(context) })).info;
        assert(
          visitor.limit === null ? member.limit === null : member.limit !== null && member.limit < visitor.limit,
          `limit is ${member.limit} after an order, ${visitor.limit} for a visitor`,
        );
      },
    ],
    [
      "an order keeps its copy of a deleted address",
      async (context) => {
        const { order } = getGoodsOrder(context);
        const address = requireValue(context.address, "no address was created");
        await clearAddress(context);
        const { info } = await context.client.data(
          contract.mallOrderInfo,
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
