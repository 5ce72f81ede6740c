import * as v from "valibot";
import { call, integer, typeOnly, username, verificationCode } from "./call.ts";
import { user } from "./session.ts";

// Apart from session.ts, which every member's page loads: only the login page needs these.

export const sendCodePayload = () => v.object({ username });
export const sendCode = call({
  method: "POST",
  path: "/v1/VerificationCode/send",
  access: "public",
  notify: true,
  payload: typeOnly<typeof sendCodePayload>(),
  data: v.object({ target: v.string(), code_length: integer, expires_in: integer, resend_after: integer }),
});

export const loginPayload = () => v.object({ username, verification_code: verificationCode });
export const login = call({
  method: "POST",
  path: "/v1/user/vcodeLogin",
  access: "public",
  notify: true,
  payload: typeOnly<typeof loginPayload>(),
  data: v.object({ token: v.pipe(v.string(), v.minLength(16)), info: user }),
});
