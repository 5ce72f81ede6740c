import { activity } from "./activity.ts";
import { address, region } from "./address.ts";
import { booking } from "./booking.ts";
import { catalogue } from "./catalogue.ts";
import { concert } from "./concert.ts";
import { goodsOrder, orderList, packageOrder } from "./order.ts";
import type { Checks } from "./run.ts";
import { logOut, otherMember, session } from "./session.ts";
import { language, payload, transport } from "./transport.ts";

/** All checks, by subject. The order matters: later ones need what earlier ones create. */
export const subjects: Record<string, Checks> = {
  transport,
  language,
  session,
  regions: region,
  catalogue,
  payloads: payload,
  addresses: address,
  "goods orders": goodsOrder,
  "package orders": packageOrder,
  "another member": otherMember,
  "order lists": orderList,
  bookings: booking,
  activities: activity,
  "concert plan": concert,
  "log-out": logOut,
};
