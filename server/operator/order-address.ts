import * as v from "valibot";
import { field as texts } from "#i18n/response-code.ts";
import type { Context } from "#server/context.ts";
import type { StoredAddress } from "#server/db/schema/order.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { Operator } from "#server/modules/audit/audit.ts";
import { correctAddress } from "#server/modules/order/fulfillment.ts";
import { findRegions, getRegionNames } from "#server/modules/region/table.ts";
import { addressAddPayload } from "#src/api/address.ts";

const { name, mobile, detail } = addressAddPayload().entries;

/** What the address of an order consists of besides its region; the rules are those of a member's own address. */
const words = { name, mobile, detail };

export const addressOptions = [...Object.keys(words), "region"];

/** Changes what the options name of the address of an order that is not shipped. Throws OperatorError. */
export async function changeAddress(
  context: Context,
  orderSn: string,
  options: Map<string, string>,
  operator: Operator,
): Promise<string> {
  const change = parseWords(options);
  const region = options.get("region");
  if (region !== undefined) Object.assign(change, parseRegion(region));
  if (Object.keys(change).length === 0)
    throw new OperatorError(`${addressOptions.map((option) => `--${option}`).join(", ")}: at least one is required.`);
  const { before, after } = await correctAddress(context, orderSn, change, operator);
  return `${orderSn} is sent to ${after} (before: ${before}).`;
}

function parseWords(options: Map<string, string>): Partial<StoredAddress> {
  const change: Partial<StoredAddress> = {};
  for (const [key, schema] of Object.entries(words)) {
    const text = options.get(key);
    if (text === undefined) continue;
    const result = v.safeParse(schema, text);
    if (!result.success) throw new OperatorError(`--${key}: ${getText(result.issues[0].message)}`);
    Object.assign(change, { [key]: result.output });
  }
  return change;
}

const isReason = (message: string): message is keyof (typeof texts)["en-US"] => Object.hasOwn(texts["en-US"], message);
const getText = (message: string) => texts["en-US"][isReason(message) ? message : "invalid"];

const maxNamed = 10;

/** Returns the fields of a region, by its code or its Chinese name. Throws OperatorError when none has it, or several have. */
function parseRegion(text: string): Partial<StoredAddress> {
  const regions = findRegions(text);
  const [region] = regions;
  if (!region)
    throw new OperatorError(
      `--region: there is no district "${text}". Give its code or its Chinese name, such as 310104 or 上海市徐汇区.`,
    );
  if (regions.length > 1) {
    const named = regions.slice(0, maxNamed).map(({ code, name }) => `${code} ${name}`);
    throw new OperatorError(
      `--region: ${regions.length} districts have that name: ${named.join(", ")}${regions.length > maxNamed ? ", …" : ""}.`,
    );
  }
  return { region_code: region.code, ...getRegionNames(region.code) };
}
