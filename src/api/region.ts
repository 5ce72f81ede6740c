import * as v from "valibot";
import { call } from "./call.ts";

export const region = v.object({ region_code: v.string(), name: v.string(), leaf: v.boolean() });
export type Region = v.InferOutput<typeof region>;

export const regionInfo = call({
  method: "POST",
  path: "/v1/region/info",
  access: "public",
  notify: false,
  errors: ["notFound"],
  payload: v.object({ region_code: v.pipe(v.string("required"), v.regex(/^\d{0,12}$/, "invalid")) }),
  data: v.object({ region: v.nullable(region), parents: v.array(region), children: v.array(region) }),
});
