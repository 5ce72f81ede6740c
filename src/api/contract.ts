import { activityBooking, activityCancel, activityInfo } from "./activity.ts";
import { addressAdd, addressDel, addressLists, addressUp, regionInfo } from "./address.ts";
import { bookingCampaign, bookingCancel, bookingInfo, makeBooking } from "./booking.ts";
import type { Call } from "./call.ts";
import { forward, getPlan, userToken } from "./concert.ts";
import { goodsInfo, goodsLists } from "./goods.ts";
import { login, sendCode } from "./login.ts";
import {
  mallCreateOrder,
  mallOrderInfo,
  mallOrderList,
  mallPayCode,
  orderCancel,
  packageOrderInfo,
  packageOrderLists,
  packagePayCode,
} from "./order.ts";
import { packageCreateOrder, packageInfo, packageLists } from "./package.ts";
import { logout, userInfo } from "./session.ts";

/** The contract: 27 calls, and extensions that a server may lack. The browser imports single calls instead. */
export const contract = {
  sendCode,
  regionInfo,
  login,
  userInfo,
  makeBooking,
  bookingInfo,
  addressLists,
  addressAdd,
  addressUp,
  addressDel,
  packageLists,
  packageInfo,
  packageCreateOrder,
  packageOrderLists,
  packageOrderInfo,
  packagePayCode,
  goodsLists,
  goodsInfo,
  mallCreateOrder,
  mallOrderList,
  mallOrderInfo,
  mallPayCode,
  activityInfo,
  activityBooking,
  forward,
  userToken,
  getPlan,
  bookingCampaign,
  orderCancel,
  activityCancel,
  bookingCancel,
  logout,
} as const satisfies Record<string, Call>;
