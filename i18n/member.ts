import { catalogue } from "./catalogue.ts";

/** Nicknames that the server assigns. `digits`: the last four of the mobile number. */
export const member = catalogue({
  "zh-CN": { nickname: "听众 {digits}" },
  "en-US": { nickname: "Listener {digits}" },
});
