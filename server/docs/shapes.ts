import {
  type ConversionConfig,
  toJsonSchema as convertSchema,
  type JsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { formatBilingual } from "#i18n/catalogue.ts";
import { docsShape } from "#i18n/docs.ts";
import { activity } from "#src/api/activity.ts";
import { address, region } from "#src/api/address.ts";
import { booking } from "#src/api/booking.ts";
import { clientRequestId, fen, mobile, picture, time, username, verificationCode } from "#src/api/call.ts";
import { forward } from "#src/api/concert.ts";
import { goods } from "#src/api/goods.ts";
import { order, payCode } from "#src/api/order.ts";
import { memberPackage } from "#src/api/package.ts";
import { user } from "#src/api/session.ts";

/** Schemas that several calls share, by their names in the contract. */
const shapes = {
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
  VerificationCode: verificationCode,
  RequestId: clientRequestId,
  ForwardAnswer: forward.data.entries.response_data,
} satisfies Record<string, GenericSchema>;

const isUnicodePattern = (action: { type: string; requirement?: unknown }): action is { type: "regex"; requirement: RegExp } =>
  action.type === "regex" && action.requirement instanceof RegExp && action.requirement.flags === "u";

const conversion: ConversionConfig = {
  target: "draft-2020-12",
  // A value is described as the server stores it, which is the form that it surely accepts; other spellings, which it transforms first, in words alone.
  ignoreActions: ["check", "transform", "trim"],
  // Patterns of JSON Schema have the flag already.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    isUnicodePattern(valibotAction) ? { ...jsonSchema, pattern: valibotAction.requirement.source } : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** Converts a schema of the contract to JSON Schema (draft 2020-12), with references to shapes. Throws for an unsupported kind. */
export function toJsonSchema(schema: GenericSchema): JsonSchema {
  const { $schema: _dialect, $defs: _shapes, ...converted } = convertSchema(schema, { ...conversion, definitions: shapes });
  return converted;
}

const isDescribed = (name: string): name is keyof (typeof docsShape)["en-US"] => Object.hasOwn(docsShape["en-US"], name);

/** Creates the JSON Schema of each shape, by name. */
export function createShapeSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(toJsonSchemaDefs(shapes, conversion)).map(([name, schema]) => {
      const description = isDescribed(name) ? { description: formatBilingual(docsShape, name) } : {};
      const format = name === "Time" ? { format: "date-time" } : {};
      return [name, { ...schema, ...format, ...description }];
    }),
  );
}
