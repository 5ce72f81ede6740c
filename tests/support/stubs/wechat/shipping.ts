import { mchid, type Transaction } from "./transaction.ts";

interface Upload {
  order_key: { order_number_type: number; transaction_id?: string; mchid?: string; out_trade_no?: string };
  logistics_type: number;
  delivery_mode: number;
  is_all_delivered?: boolean;
  shipping_list: {
    tracking_no?: string;
    express_company?: string;
    item_desc?: string;
    contact?: { consignor_contact?: string; receiver_contact?: string };
  }[];
  upload_time: string;
  payer: { openid: string };
}

interface Shipped {
  upload: Upload;
  /** 1 when it was shipped, 2 once it was corrected. */
  count: number;
  /** When WeChat has taken it, in seconds. */
  at: number;
}

/** What a call meets in place of WeChat's answer: no answer, a status, a page, half of the answer after it was carried out, or an error code before. */
export type ShippingFault = "hang" | "hang after" | "500" | "502 after" | "429" | "html" | "half" | number;

export type ShippingCall =
  | "is_trade_managed"
  | "is_trade_management_confirmation_completed"
  | "upload_shipping_info"
  | "get_order"
  | "opspecialorder"
  | "get_delivery_list"
  | "update_order_detail_path"
  | "set_msg_jump_path";

interface Account {
  payments: Map<string, Transaction>;
  isRefunded(tradeNo: string): boolean;
  now: () => number;
}

const day = 86_400;
const carriers = [
  ["SF", "顺丰速运"],
  ["YTO", "圆通速递"],
  ["ZTO", "中通快递"],
  ["STO", "申通快递"],
  ["YD", "韵达速递"],
  ["JTSD", "极兔速递"],
  ["JD", "京东物流"],
  ["ZTOKY", "中通快运"],
  ["SFKY", "顺丰快运"],
] as const;
/** The last four digits are open, and nothing before them says the number. */
const masked = /^[\d*+-]*\*[\d*-]*\d{4}$/;

const ok = { errcode: 0, errmsg: "ok" };
const error = (errcode: number, errmsg = "error of the stub") => ({
  errcode,
  errmsg: `${errmsg} rid: 6a2c0f11-01234567-1c2d3e4f`,
});

/**
 * Creates a stub of shipping information: what WeChat documents of its checks, of its error codes, and of the one correction that a payment takes
 * (developers.weixin.qq.com/miniprogram/dev/server/API/order_shipping/api_uploadshippinginfo.html).
 */
export function createShippingStub({ payments, isRefunded, now }: Account) {
  const shipped = new Map<string, Shipped>();
  /** Payments that their buyers have confirmed, or that WeChat has finished. */
  const confirmed = new Set<string>();
  const announced = new Map<string, number>();
  const paths = new Map<ShippingCall, string>();
  const requests = { calls: [] as ShippingCall[], uploads: [] as Upload[], announcements: [] as object[] };
  /** `faults` are met by the next calls of their name, one each. `indexAfter`: seconds until WeChat has a payment. */
  const behaviour = { managed: true, faults: [] as { call: ShippingCall; fault: ShippingFault }[], indexAfter: 0 };
  const firstSeen = new Map<string, number>();
  const seconds = () => Math.floor(now() / 1000);

  function reset() {
    for (const map of [shipped, announced, firstSeen]) map.clear();
    confirmed.clear();
    for (const list of [requests.calls, requests.uploads, requests.announcements, behaviour.faults]) list.length = 0;
    Object.assign(behaviour, { managed: true, indexAfter: 0 });
  }

  function findPayment(tradeNo: string): Transaction | null {
    const payment = payments.get(tradeNo);
    if (!payment) return null;
    firstSeen.set(tradeNo, firstSeen.get(tradeNo) ?? seconds());
    return seconds() - (firstSeen.get(tradeNo) ?? 0) >= behaviour.indexAfter ? payment : null;
  }

  function upload(payload: Upload): object {
    requests.uploads.push(payload);
    const { order_key: key, logistics_type: type, delivery_mode: mode, shipping_list: list, upload_time } = payload;
    if (key.order_number_type !== 1) return error(268485194);
    if (key.mchid !== mchid) return error(268485196);
    if (!key.out_trade_no || !/^[\w*-]{6,32}$/.test(key.out_trade_no)) return error(268485197);
    if (![1, 2, 3, 4].includes(type)) return error(10060005);
    if (mode !== 1) return error(268485224);
    if (!Array.isArray(list)) return error(47001);
    if (list.length !== 1) return error(268485228);
    const [parcel] = list;
    if (!parcel?.item_desc) return error(10060008);
    if ([...parcel.item_desc].length > 120) return error(10060009);
    if (type === 1 && !parcel.tracking_no) return error(268485226);
    if (type === 1 && !parcel.express_company) return error(268485227);
    if (Buffer.byteLength(parcel.tracking_no ?? "") > 128) return error(10060026);
    const { receiver_contact: contact } = parcel.contact ?? {};
    if (parcel.express_company === "SF" && !contact) return error(10060014);
    if (contact !== undefined && !masked.test(contact)) return error(10060014);
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+08:00$/.test(upload_time)) return error(268485216);
    const payment = findPayment(key.out_trade_no);
    if (!payment) return error(10060001, "支付单不存在");
    if (payment.payer.openid !== payload.payer.openid) return error(10060031);
    return ship(key.out_trade_no, payload);
  }

  function ship(tradeNo: string, payload: Upload): object {
    if (confirmed.has(tradeNo) || isRefunded(tradeNo)) return error(10060004, "支付单处于不可发货的状态");
    const before = shipped.get(tradeNo);
    const toContent = ({ logistics_type, shipping_list }: Upload) => JSON.stringify([logistics_type, shipping_list]);
    if (before && toContent(before.upload) === toContent(payload)) return error(10060023, "发货信息未更新");
    if (before && before.count > 1) return error(10060003, "支付单已使用重新发货机会");
    if (before && payload.upload_time <= before.upload.upload_time) return error(268485216);
    shipped.set(tradeNo, { upload: payload, count: before ? 2 : 1, at: seconds() });
    return ok;
  }

  function find({ merchant_id, merchant_trade_no }: { merchant_id?: string; merchant_trade_no: string }): object {
    const payment = findPayment(merchant_trade_no);
    if (merchant_id !== mchid || !payment) return error(10060001, "支付单不存在");
    const record = shipped.get(merchant_trade_no);
    const state = isRefunded(merchant_trade_no) ? 5 : confirmed.has(merchant_trade_no) ? 3 : record ? 2 : 1;
    const shipping = record && {
      delivery_mode: record.upload.delivery_mode,
      logistics_type: record.upload.logistics_type,
      finish_shipping: true,
      goods_desc: record.upload.shipping_list[0]?.item_desc,
      finish_shipping_count: record.count,
      shipping_list: record.upload.shipping_list.map(({ item_desc, ...parcel }) => ({
        ...parcel,
        goods_desc: item_desc,
        upload_time: record.at,
      })),
    };
    const { transaction_id, amount, payer, success_time } = payment;
    const times = { trade_create_time: Date.parse(success_time) / 1000, pay_time: Date.parse(success_time) / 1000 };
    const order = { transaction_id, merchant_id: mchid, sub_merchant_id: "", merchant_trade_no, description: "" };
    const money = { paid_amount: amount.total, openid: payer.openid, order_state: state, in_complaint: false };
    return { ...ok, order: { ...order, ...money, ...times, shipping: shipping ?? {} } };
  }

  function announce(payload: { order_id: string; type: number; delay_to: number }): object {
    requests.announcements.push(payload);
    const payment = findPayment(payload.order_id);
    if (payload.type !== 1) return error(268546000);
    if (!payment || shipped.has(payload.order_id)) return error(268546002);
    const after = payload.delay_to - Date.parse(payment.success_time) / 1000;
    if (after <= 15 * day || after > 330 * day) return error(268546001);
    announced.set(payload.order_id, payload.delay_to);
    return ok;
  }

  function setPath(name: ShippingCall, path: string): object {
    if (name === "update_order_detail_path" && !path.includes(`${"$"}{商品订单号}`)) return error(10060035, "path invalid");
    paths.set(name, path);
    return ok;
  }

  const answers: Record<ShippingCall, (body: string) => object> = {
    is_trade_managed: () => ({ ...ok, is_trade_managed: behaviour.managed }),
    is_trade_management_confirmation_completed: () => ({ ...ok, completed: behaviour.managed }),
    upload_shipping_info: (body) => upload(JSON.parse(body)),
    get_order: (body) => find(JSON.parse(body)),
    opspecialorder: (body) => announce(JSON.parse(body)),
    update_order_detail_path: (body) => setPath("update_order_detail_path", JSON.parse(body).path),
    set_msg_jump_path: (body) => setPath("set_msg_jump_path", JSON.parse(body).path),
    get_delivery_list: () => ({
      ...ok,
      delivery_list: carriers.map(([delivery_id, delivery_name]) => ({ delivery_id, delivery_name })),
      count: carriers.length,
    }),
  };

  const isCall = (name: string): name is ShippingCall => Object.hasOwn(answers, name);

  /** Answers a call; null for a path that is none. */
  function answer(pathname: string, body: string): { status: number; text: string } | "hang" | null {
    const name = pathname.replace(/^\/wxa\/sec\/order\/|^\/cgi-bin\/express\/delivery\/open_msg\//, "");
    if (name === pathname || !isCall(name)) return null;
    requests.calls.push(name);
    const index = behaviour.faults.findIndex(({ call }) => call === name);
    const fault = index < 0 ? null : behaviour.faults.splice(index, 1)[0]?.fault;
    if (typeof fault === "number") return { status: 200, text: JSON.stringify(error(fault)) };
    if (fault === "hang") return "hang";
    if (fault === "500") return { status: 500, text: "" };
    if (fault === "429") return { status: 429, text: "" };
    const text = JSON.stringify(answers[name](body));
    if (fault === "hang after") return "hang";
    if (fault === "502 after") return { status: 502, text: "" };
    if (fault === "html") return { status: 200, text: "<html><body>502 Bad Gateway</body></html>" };
    return { status: 200, text: fault === "half" ? text.slice(0, text.length / 2) : text };
  }

  return { shipped, confirmed, announced, paths, requests, behaviour, answer, reset };
}
