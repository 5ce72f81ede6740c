import { catalogue } from "./catalogue.ts";

/** Messages of the server, by the keys of `codes` in `src/api/envelope.ts`. */
export const responseCode = catalogue({
  "zh-CN": {
    success: "好了",
    sessionInvalid: "登录过期了，请重新登录",
    badParameter: "有几处没填对",
    notFound: "没有找到",
    tooFrequent: "太快了，{wait}后再试",
    requestIdReused: "这次提交和上次不一样，请重新下单",
    notAllowed: "不能这样请求",
    internal: "我们这边出错了，稍后再试",
    unavailable: "暂时用不了，稍后再试",
    wrongCode: "验证码不对，再看一眼短信",
    tooManyTries: "试的次数太多，请重新获取验证码",
    soldOut: "卖完了",
    overLimit: "超过每人的限量",
    priceChanged: "价格变了，看一眼新的再下单",
    notOnSale: "现在买不了这一件",
    orderClosed: "订单已经关闭",
    orderPaid: "订单已经付过了",
    payCodeUnavailable: "付款码暂时出不来，稍后再试",
    full: "满了",
    alreadyBooked: "你已经预订过了",
    bookingClosed: "现在不在预订时间里",
    notActivated: "先到手机 App 完成注册并激活",
  },
  "en-US": {
    success: "Done",
    sessionInvalid: "Your session has ended. Log in again",
    badParameter: "Some of this needs another look",
    notFound: "Not found",
    tooFrequent: "Too fast. Try again in {wait}",
    requestIdReused: "This differs from what was sent before. Order again",
    notAllowed: "That cannot be asked for",
    internal: "Something broke on our side. Try again later",
    unavailable: "Not available right now. Try again later",
    wrongCode: "That code does not match. Check the message",
    tooManyTries: "Too many tries. Ask for a new code",
    soldOut: "Sold out",
    overLimit: "More than one member may have",
    priceChanged: "The price has changed. Look at it, then order",
    notOnSale: "Not on sale for you right now",
    orderClosed: "This order is closed",
    orderPaid: "This order is already paid",
    payCodeUnavailable: "No pay code right now. Try again later",
    full: "Full",
    alreadyBooked: "You have booked this already",
    bookingClosed: "Booking is not open",
    notActivated: "Finish registration and activation in the mobile app first",
  },
});

/** Values of `{wait}` in `tooFrequent`. */
export const wait = catalogue({
  "zh-CN": { seconds: "{n} 秒", minutes: "{n} 分钟", hours: "{n} 小时" },
  "en-US": { seconds: "{n} s", minutes: "{n} min", hours: "{n} h" },
});

/** Validation errors of fields. The keys are the messages of the schemas in `src/api`, for server and forms alike. */
export const field = catalogue({
  "zh-CN": {
    required: "这里要填",
    tooShort: "太短了",
    tooLong: "太长了",
    invalid: "这样写不行",
    mobile: "要 11 位大陆手机号",
    username: "要手机号，或账号名",
    code: "6 位数字，在短信里",
    range: "数目不在范围内",
    region: "选到最后一级",
  },
  "en-US": {
    required: "Needed",
    tooShort: "Too short",
    tooLong: "Too long",
    invalid: "Cannot be written like this",
    mobile: "An 11-digit mainland mobile number",
    username: "A mobile number or an account name",
    code: "Six digits, from the message",
    range: "Outside the range",
    region: "Choose down to the last level",
  },
});

export type Reason = keyof (typeof field)["en-US"];
