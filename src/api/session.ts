import * as v from "valibot";
import { call, picture, time } from "./call.ts";

export const user = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  nickname: v.string(),
  avatar: v.nullable(picture),
  mobile_masked: v.string(),
  account: v.nullable(v.string()),
  activated: v.boolean(),
  membership: v.nullable(
    v.object({ package_uid: v.string(), level: v.picklist([1, 2, 3]), title: v.string(), expires_at: time }),
  ),
  created_at: time,
  /** `nickname`: `userNickname` is served, and the nickname can be changed. */
  actions: v.optional(v.object({ nickname: v.boolean() })),
});
export type User = v.InferOutput<typeof user>;

export const userInfo = call({
  method: "GET",
  path: "/v1/user/info",
  access: "session",
  notify: false,
  data: v.object({ info: user }),
});

/** Ends the session of the token. The token is then unknown: a repeat is 10001, and other sessions of the member go on. */
export const logout = call({
  extension: true,
  method: "POST",
  path: "/v1/user/logout",
  access: "session",
  notify: false,
  data: v.object({}),
});
