import { catalogue } from "./catalogue.ts";

/** The sandbox's cashier page, which the server serves. */
export const payment = catalogue({
  "zh-CN": {
    title: "收银台（测试）",
    note: "这是测试用的收银台，不会真的扣钱。",
    order: "订单号",
    until: "请在 {time} 前付款",
    pay: "付款",
    fail: "付款失败",
    expire: "让时间走完",
    late: "过时再付",
    lateNote: "先让订单过时关闭，钱再到账：还有货就恢复订单，没货就退款。",
    failed: "这次没付成，没有扣钱。订单还在，可以再付一次。",
    paid: "付好了，可以回到订单页。",
    closed: "订单已经关闭。",
    refundDue: "订单已经关闭，收到的钱会退回。",
    refunded: "订单已经关闭，钱已经退回。",
    unknown: "没有这个付款页。",
    back: "查看订单",
  },
  "en-US": {
    title: "Cashier (test)",
    note: "A cashier for testing: no money moves.",
    order: "Order",
    until: "Pay by {time}",
    pay: "Pay",
    fail: "Let the payment fail",
    expire: "Let the time run out",
    late: "Pay too late",
    lateNote:
      "The order runs out and closes, then the money arrives: with stock left it opens again, without it the money is owed back.",
    failed: "That payment failed, and nothing was charged. The order is still open: try again.",
    paid: "Paid. You can go back to your order.",
    closed: "This order is closed.",
    refundDue: "This order is closed. What was paid will be returned.",
    refunded: "This order is closed, and what was paid has been returned.",
    unknown: "There is no such cashier page.",
    back: "See the order",
  },
});

/** The pay code on an order's page. */
export const payCode = catalogue({
  "zh-CN": {
    label: "付款码",
    scan: "微信扫一扫，打开小程序付款",
    scanSandbox: "用手机扫一扫，打开测试收银台",
    open: "打开小程序付款",
    openSandbox: "打开测试收银台",
    otherPhone: "或者用另一台手机扫这个码",
    hold: "长按这个码，识别后付款",
    album: "存下付款码，再用微信扫一扫从相册选它",
    save: "保存付款码",
    failed: "付款码没出来",
    retry: "再取一次",
    loading: "正在取付款码",
  },
  "en-US": {
    label: "Pay code",
    scan: "Scan with WeChat to open the mini program",
    scanSandbox: "Scan with a phone to open the test cashier",
    open: "Pay in the mini program",
    openSandbox: "Open the test cashier",
    otherPhone: "Or scan this with another phone",
    hold: "Press and hold the code to pay",
    album: "Save the code, then pick it from the album in WeChat’s Scan",
    save: "Save the pay code",
    failed: "No pay code came",
    retry: "Ask again",
    loading: "Fetching the pay code",
  },
});
