import * as v from "valibot";
import { call, mobile, text, typeOnly, uid } from "./call.ts";

export const region = v.object({ region_code: v.string(), name: v.string(), leaf: v.boolean() });
export type Region = v.InferOutput<typeof region>;

export const regionInfoPayload = () =>
  v.object({ region_code: v.pipe(v.string("required"), v.regex(/^\d{0,12}$/, "invalid")) });
export const regionInfo = call({
  method: "POST",
  path: "/v1/region/info",
  access: "public",
  notify: false,
  payload: typeOnly<typeof regionInfoPayload>(),
  data: v.object({ region: v.nullable(region), parents: v.array(region), children: v.array(region) }),
});

/** Where something is sent. */
const destination = {
  name: v.string(),
  mobile: v.string(),
  region_code: v.string(),
  province: v.string(),
  city: v.string(),
  district: v.string(),
  detail: v.string(),
};
/** An order's own copy. */
export const orderAddress = v.object(destination);
export const address = v.object({
  address_id: v.string(),
  ...destination,
  is_default: v.boolean(),
  /** An extension, set where the region's code went and its area was divided: the region has to be chosen again before an order. */
  needs_region: v.optional(v.boolean()),
});
export type Address = v.InferOutput<typeof address>;

const list = v.object({ list: v.array(address) });

export const addressLists = call({
  method: "GET",
  path: "/v1/address/lists",
  access: "session",
  notify: false,
  data: list,
});
/** The server adds the names of the region. */
export const addressAddPayload = () =>
  v.object({
    name: text(1, 25),
    mobile,
    region_code: v.pipe(v.string("required"), v.regex(/^\d{6,12}$/, "region")),
    detail: text(4, 120),
    is_default: v.boolean("required"),
  });
export const addressAdd = call({
  method: "POST",
  path: "/v1/address/add",
  access: "session",
  notify: true,
  payload: typeOnly<typeof addressAddPayload>(),
  data: list,
});
export const addressUpPayload = () => v.object({ address_id: uid, ...addressAddPayload().entries });
export const addressUp = call({
  method: "POST",
  path: "/v1/address/up",
  access: "session",
  notify: true,
  payload: typeOnly<typeof addressUpPayload>(),
  data: list,
});
export const addressDelPayload = () => v.object({ address_id: uid });
export const addressDel = call({
  method: "POST",
  path: "/v1/address/del",
  access: "session",
  notify: true,
  payload: typeOnly<typeof addressDelPayload>(),
  data: list,
});
