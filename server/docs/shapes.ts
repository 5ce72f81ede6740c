import type { GenericSchema } from "valibot";
import { docsShape } from "../../i18n/docs.ts";
import { activity } from "../../src/api/activity.ts";
import { address } from "../../src/api/address.ts";
import { booking } from "../../src/api/booking.ts";
import { forward } from "../../src/api/concert.ts";
import { fen, mobile, picture, time, username } from "../../src/api/field.ts";
import { goods } from "../../src/api/goods.ts";
import { mallCreateOrder, order, payCode } from "../../src/api/order.ts";
import { memberPackage } from "../../src/api/package.ts";
import { region } from "../../src/api/region.ts";
import { user } from "../../src/api/session.ts";
import { bilingual } from "./bilingual.ts";
import { type JsonSchema, type Names, stringifySchema } from "./json-schema.ts";

/** The schemas that several calls share, by the names that the contract gives them. */
export const shapes = {
  User: user,
  Address: address,
  Region: region,
  Booking: booking,
  Package: memberPackage,
  Goods: goods,
  Order: order,
  PayCode: payCode,
  Activity: activity,
  Picture: picture,
  Time: time,
  Fen: fen,
  Mobile: mobile,
  Username: username,
  RequestId: mallCreateOrder.payload.entries.client_request_id,
  ForwardAnswer: forward.data.entries.response_data,
} satisfies Record<string, GenericSchema>;

export const names: Names = new Map(Object.entries(shapes).map(([name, schema]) => [schema, name]));

const isDescribed = (name: string): name is keyof (typeof docsShape)["en-US"] => Object.hasOwn(docsShape["en-US"], name);

/** Every shape as JSON Schema, under its name. */
export function shapeSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, schema]) => {
      const description = isDescribed(name) ? { description: bilingual(docsShape, name) } : {};
      const format = name === "Time" ? { format: "date-time" } : {};
      return [name, { ...stringifySchema(schema, names), ...format, ...description }];
    }),
  );
}
