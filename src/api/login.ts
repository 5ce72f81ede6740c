import * as v from "valibot";
import { call } from "./call.ts";
import { integer, username, verificationCode } from "./field.ts";
import { user } from "./session.ts";

// Apart from what every member's page asks for: only the login page needs them.

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
