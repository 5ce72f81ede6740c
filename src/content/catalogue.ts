import * as v from "valibot";
import { fen, integerBetween, picture, time, uid } from "#src/api/call.ts";

// What a shop sells and lets people book, as its files describe it and as the server stores it. The files of a shop become
// one such document; `catalogue apply` brings it into a database.

/* @__NO_SIDE_EFFECTS__ */
const localized = <const Value extends v.GenericSchema>(value: Value) => v.object({ "zh-CN": value, "en-US": value });
const words = localized(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(3000)));
const price = v.pipe(fen, v.minValue(1));
const capacity = integerBetween(1, 1_000_000);
const level = v.picklist([1, 2, 3]);
/** Former uids of an entry: `apply` renames its rows. */
const aliases = v.array(uid);

const sku = v.object({
  uid,
  /** One value per spec of the item, in the same order. */
  values: localized(v.array(v.string())),
  pay_fen: price,
  /** Pieces when the SKU is first applied; later changes are stock movements. */
  stock: integerBetween(0, 1_000_000),
});

const goods = v.object({
  uid,
  aliases,
  title: words,
  summary: words,
  /** Paragraphs. */
  detail: localized(v.array(v.string())),
  category: words,
  /** Per language, as a picture may carry words. */
  images: localized(v.array(picture)),
  specs: localized(v.array(v.object({ name: v.string(), values: v.array(v.string()) }))),
  list_price_fen: v.nullable(price),
  limit_per_member: integerBetween(1, 99),
  on_sale: v.boolean(),
  /** From when a pre-order is sent. */
  ships_at: v.optional(v.nullable(time), null),
  skus: v.pipe(v.array(sku), v.minLength(1)),
});

const right = v.object({
  icon: v.string(),
  title: v.string(),
  /** Kept by people, not by the software: "given at the door". */
  at_the_door: v.boolean(),
});

const memberPackage = v.object({
  uid,
  aliases,
  level,
  days: integerBetween(1, 3660),
  title: words,
  summary: words,
  rights: localized(v.array(right)),
  free_postage: v.boolean(),
  price_fen: price,
  pay_fen: price,
  badge: v.nullable(words),
  images: localized(v.array(picture)),
  /** Passes when it is first applied; null: unlimited. */
  stock: v.nullable(integerBetween(0, 1_000_000)),
  /** Passes that a member can have at a time, running or to be paid; null: unlimited. */
  limit: v.nullable(integerBetween(1, 99)),
  on_sale: v.boolean(),
});

const activity = v.object({
  uid,
  aliases,
  title: words,
  venue: words,
  city: words,
  starts_at: time,
  ends_at: time,
  opens_at: time,
  closes_at: time,
  /** Earlier openings, per level of a pass; a higher level has the hours of the lower ones. */
  early: v.array(v.object({ level, opens_at: time })),
  places: capacity,
  /** False for a cancelled show: nobody can book, bookings stay. */
  on_sale: v.boolean(),
});

const stop = v.object({
  stop: uid,
  city: words,
  venue: words,
  starts_at: time,
  /** Nobody can book a cancelled stop, and bookings stay. */
  status: v.optional(v.picklist(["scheduled", "cancelled", "moved"]), "scheduled"),
  /** The old start of a stop that has moved. */
  moved_from: v.optional(v.nullable(time), null),
  places: capacity,
});

const campaign = v.object({
  uid,
  aliases,
  title: words,
  opens_at: time,
  closes_at: time,
  on_sale: v.boolean(),
  stops: v.pipe(v.array(stop), v.minLength(1)),
});

export const catalogue = v.object({
  shop: v.object({
    /** The name under which a database remembers whose catalogue it holds. */
    uid,
    /** On cashier and waiting page. */
    title: words,
    postage: v.object({ fen, free_from_fen: fen }),
  }),
  /** In the order of the mall. */
  goods: v.array(goods),
  packages: v.array(memberPackage),
  activities: v.array(activity),
  campaigns: v.array(campaign),
});

export type Catalogue = v.InferOutput<typeof catalogue>;
export type CatalogueGoods = v.InferOutput<typeof goods>;
export type CataloguePackage = v.InferOutput<typeof memberPackage>;
export type CatalogueActivity = v.InferOutput<typeof activity>;
export type CatalogueCampaign = v.InferOutput<typeof campaign>;
export type CataloguePicture = v.InferOutput<typeof picture>;

/** The file of a built site that says of which shop it is, as the catalogue in the database does. */
export const shopFile = ".hosting/shop";
