import * as v from "valibot";
import { call, integer, username, verificationCode } from "./call.ts";
import { user } from "./session.ts";

// Apart from session.ts, which every member's page loads: only the login page needs these.

export const sendCode = call({
  method: "POST",
  path: "/v1/VerificationCode/send",
  access: "public",
  notify: true,
  errors: ["tooFrequent"],
  payload: v.object({ username }),
  data: v.object({ target: v.string(), code_length: integer, expires_in: integer, resend_after: integer }),
});

export const login = call({
  method: "POST",
  path: "/v1/user/vcodeLogin",
  access: "public",
  notify: true,
  errors: ["wrongCode", "tooManyTries"],
  payload: v.object({ username, verification_code: verificationCode }),
  data: v.object({ token: v.pipe(v.string(), v.minLength(16)), info: user }),
});
