import * as v from "valibot";
import {
  call,
  clientRequestId,
  createdOrder,
  type DataOf,
  fen,
  integer,
  integerBetween,
  nullableTime,
  picture,
  typeOnly,
  uid,
} from "./call.ts";
import { maxQuantity } from "./order-rules.ts";
import { packageListsPath } from "./paths.ts";

export const memberPackage = v.object({
  uid: v.string(),
  level: v.picklist([1, 2, 3]),
  days: integer,
  title: v.string(),
  summary: v.string(),
  /** `at_the_door`: kept by people at the show, not by the software. */
  rights: v.array(v.object({ icon: v.string(), title: v.string(), at_the_door: v.optional(v.boolean()) })),
  images: v.optional(v.array(picture)),
  free_postage: v.boolean(),
  price_fen: fen,
  pay_fen: fen,
  badge: v.nullable(v.string()),
  stock: v.nullable(integer),
  /** Pieces that a member can have at a time, running or to be paid; null: unlimited. With a session, how many more the member can buy. */
  limit: v.nullable(integer),
  on_sale: v.boolean(),
});
/** The letter that stands for a level. */
export const levelLetters: Record<MemberPackage["level"], string> = { 1: "A", 2: "B", 3: "C" };

export type MemberPackage = v.InferOutput<typeof memberPackage>;

export const packageLists = call({
  ...packageListsPath,
  access: "public",
  notify: false,
  data: v.object({ list: v.array(memberPackage) }),
});

export const packageInfoPayload = () => v.object({ uid });
export const packageInfo = call({
  method: "POST",
  path: "/v1/memberPackage/goodsInfo",
  access: "public",
  notify: false,
  payload: typeOnly<typeof packageInfoPayload>(),
  data: v.object({
    info: memberPackage,
    preview: v.nullable(v.object({ current_expires_at: nullableTime, new_expires_at: nullableTime })),
  }),
});

/** Returns the expiry after one more package, or null when the member cannot buy one. */
export const getExpiryOnRenewal = ({ info, preview }: DataOf<typeof packageInfo>): string | null =>
  info.on_sale && info.limit !== 0 && info.stock !== 0 ? (preview?.new_expires_at ?? null) : null;

/** Returns when a membership would end after buying `quantity` packages: the server previews one, and each further one adds its days. Null where the package cannot be bought. */
export function getExpiryAfter({ info, preview }: DataOf<typeof packageInfo>, quantity: number): string | null {
  if (!preview?.new_expires_at) return null;
  return new Date(Date.parse(preview.new_expires_at) + (quantity - 1) * info.days * 24 * 3600_000).toISOString();
}

export const packageCreateOrderPayload = () =>
  v.object({
    uid,
    quantity: integerBetween(1, maxQuantity),
    expected_pay_fen: fen,
    client_request_id: clientRequestId,
  });
export const packageCreateOrder = call({
  method: "POST",
  path: "/v1/memberPackage/createOrder",
  access: "session",
  notify: true,
  payload: typeOnly<typeof packageCreateOrderPayload>(),
  data: createdOrder,
});
