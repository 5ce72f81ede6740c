import * as v from "valibot";
import { call } from "./call.ts";
import { integer, none, picture, time, username, verificationCode } from "./field.ts";

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
});
export type User = v.InferOutput<typeof user>;

export const sendCode = call({
  method: "POST",
  path: "/v1/VerificationCode/send",
  access: "public",
  volume: "loud",
  refuses: ["tooFrequent"],
  payload: v.object({ username }),
  data: v.object({ target: v.string(), code_length: integer, expires_in: integer, resend_after: integer }),
});

export const login = call({
  method: "POST",
  path: "/v1/user/vcodeLogin",
  access: "public",
  volume: "loud",
  refuses: ["wrongCode", "tooManyTries"],
  payload: v.object({ username, verification_code: verificationCode }),
  data: v.object({ token: v.pipe(v.string(), v.minLength(16)), info: user }),
});

export const userInfo = call({
  method: "GET",
  path: "/v1/user/info",
  access: "session",
  volume: "quiet",
  refuses: [],
  payload: none,
  data: v.object({ info: user }),
});
