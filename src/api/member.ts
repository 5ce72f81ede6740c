import * as v from "valibot";
import { call, text, typeOnly } from "./call.ts";
import { user } from "./session.ts";

export const nicknamePayload = () =>
  v.object({
    nickname: v.pipe(
      text(2, 20),
      v.transform((name) => name.normalize("NFC")),
    ),
  });

/** Changes the member's nickname. A server without this call sends no `actions` with a member. */
export const userNickname = call({
  extension: true,
  method: "POST",
  path: "/v1/user/nickname",
  access: "session",
  notify: true,
  payload: typeOnly<typeof nicknamePayload>(),
  data: v.object({ info: user }),
});
