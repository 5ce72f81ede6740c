const order = { client_request_id: "fuzz-goods", expected_pay_fen: 11_000, quantity: 1 };
const passOrder = { client_request_id: "fuzz-pass", expected_pay_fen: 9800, quantity: 1 };
export const address = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "Road 1", is_default: true };

/** A valid payload for each call, by path. Tests replace the placeholders in braces with ids. */
export const payloads: Record<string, object> = {
  "/v1/VerificationCode/send": { username: "13912345678" },
  "/v1/user/vcodeLogin": { username: "demo", verification_code: "{code}" },
  "/v1/user/info": {},
  "/v1/memberPackage/lists": {},
  "/v1/memberPackage/goodsInfo": { uid: "regular" },
  "/v1/goods/allLists": {},
  "/v1/goods/info": { goods_uid: "vinyl" },
  "/v1/activity/info": {},
  "/v1/activity/booking": { activity_uid: "echo" },
  "/v1/booking/info": {},
  "/v1/booking/makeBooking": {
    campaign: "spring",
    stop: "wuhan",
    name: "小满",
    mobile: "13800138000",
    party_size: 2,
    note: "a",
  },
  "/v1/region/info": { region_code: "310000" },
  "/v1/address/lists": {},
  "/v1/address/add": address,
  "/v1/address/up": { ...address, address_id: "{address}" },
  "/v1/address/del": { address_id: "{other address}" },
  "/v1/mall/createOrder": { ...order, goods_uid: "tote", sku_uid: "tote", address_id: "{address}", note: "a" },
  "/v1/mall/orderList": { page: 1, page_size: 10 },
  "/v1/mall/orderInfo": { order_sn: "{order}" },
  "/v1/mall/genMiniProgramCodeBySn": { order_sn: "{order}" },
  "/v1/memberPackage/createOrder": { ...passOrder, uid: "listener" },
  "/v1/order/lists": {},
  "/v1/order/info": { order_sn: "{pass}" },
  "/v1/memberPackage/genMiniProgramCodeBySn": { order_sn: "{pass}" },
  "/v1/marsx/userToken": {},
  "/v1/marsx/getplan": { id: 1001 },
  "/v1/main/forwardCallApi": {
    request_url: "/api/concert/setplan",
    request_method: "POST",
    request_header: { "content-type": "application/json", authorization: "Bearer {app token}" },
    request_data: { Id: 1001, IsPlan: true },
  },
};
