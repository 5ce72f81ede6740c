import type { GenericSchema } from "valibot";
import { activityBooking, activityCancel, activityInfo, activityPayload } from "./activity.ts";
import {
  addressAdd,
  addressAddPayload,
  addressDel,
  addressDelPayload,
  addressLists,
  addressUp,
  addressUpPayload,
  regionInfo,
  regionInfoPayload,
} from "./address.ts";
import { bookingCampaign, bookingCancel, bookingInfo, campaignPayload, makeBooking, makeBookingPayload } from "./booking.ts";
import { type Call, emptyPayload, type ServedCall } from "./call.ts";
import { forward, forwardPayload, getPlan, getPlanPayload, userToken } from "./concert.ts";
import { goodsInfo, goodsInfoPayload, goodsLists } from "./goods.ts";
import { login, loginPayload, sendCode, sendCodePayload } from "./login.ts";
import { nicknamePayload, userNickname } from "./member.ts";
import {
  mallCreateOrder,
  mallCreateOrderPayload,
  mallOrderInfo,
  mallOrderList,
  mallOrderListPayload,
  mallPayCode,
  orderCancel,
  orderPayload,
  packageOrderInfo,
  packageOrderLists,
  packagePayCode,
} from "./order.ts";
import { packageCreateOrder, packageCreateOrderPayload, packageInfo, packageInfoPayload, packageLists } from "./package.ts";
import { logout, userInfo } from "./session.ts";

/** Adds to a row what only the server needs: the schema of its payload, and its error codes. */
function serve<Payload extends GenericSchema, Data extends GenericSchema>(
  row: Call<Payload, Data>,
  createPayload: () => Payload,
  ...errors: ServedCall["errors"]
): ServedCall<Payload, Data> {
  return { ...row, payload: createPayload(), errors };
}

/** Why an order of either kind is not created. */
const orderErrors = ["notFound", "requestIdReused", "soldOut", "overLimit", "priceChanged", "notOnSale"] as const;

/** The contract: 27 calls, and extensions that a server may lack. The browser imports single rows instead. */
export const contract = {
  sendCode: serve(sendCode, sendCodePayload, "tooFrequent"),
  regionInfo: serve(regionInfo, regionInfoPayload, "notFound"),
  login: serve(login, loginPayload, "wrongCode", "tooManyTries"),
  userInfo: serve(userInfo, emptyPayload),
  makeBooking: serve(makeBooking, makeBookingPayload, "notFound", "notAllowed", "full", "bookingClosed"),
  bookingInfo: serve(bookingInfo, emptyPayload, "notFound"),
  addressLists: serve(addressLists, emptyPayload),
  addressAdd: serve(addressAdd, addressAddPayload, "overLimit"),
  addressUp: serve(addressUp, addressUpPayload, "notFound"),
  addressDel: serve(addressDel, addressDelPayload, "notFound"),
  packageLists: serve(packageLists, emptyPayload),
  packageInfo: serve(packageInfo, packageInfoPayload, "notFound"),
  packageCreateOrder: serve(packageCreateOrder, packageCreateOrderPayload, ...orderErrors),
  packageOrderLists: serve(packageOrderLists, emptyPayload),
  packageOrderInfo: serve(packageOrderInfo, orderPayload, "notFound"),
  packagePayCode: serve(
    packagePayCode,
    orderPayload,
    "notFound",
    "notOnSale",
    "orderClosed",
    "orderPaid",
    "payCodeUnavailable",
  ),
  goodsLists: serve(goodsLists, emptyPayload),
  goodsInfo: serve(goodsInfo, goodsInfoPayload, "notFound"),
  mallCreateOrder: serve(mallCreateOrder, mallCreateOrderPayload, ...orderErrors),
  mallOrderList: serve(mallOrderList, mallOrderListPayload),
  mallOrderInfo: serve(mallOrderInfo, orderPayload, "notFound"),
  mallPayCode: serve(mallPayCode, orderPayload, "notFound", "orderClosed", "orderPaid", "payCodeUnavailable"),
  activityInfo: serve(activityInfo, emptyPayload),
  activityBooking: serve(activityBooking, activityPayload, "notFound", "full", "alreadyBooked", "bookingClosed"),
  forward: serve(forward, forwardPayload, "notAllowed", "notFound", "unavailable"),
  userToken: serve(userToken, emptyPayload),
  getPlan: serve(getPlan, getPlanPayload, "notFound"),
  bookingCampaign: serve(bookingCampaign, campaignPayload, "notFound"),
  orderCancel: serve(orderCancel, orderPayload, "notFound", "orderClosed", "orderPaid", "unavailable"),
  activityCancel: serve(activityCancel, activityPayload, "notFound", "notAllowed", "bookingClosed"),
  bookingCancel: serve(bookingCancel, campaignPayload, "notFound", "notAllowed", "bookingClosed"),
  logout: serve(logout, emptyPayload),
  userNickname: serve(userNickname, nicknamePayload),
} satisfies Record<string, ServedCall>;
