import { catalogue } from "./catalogue.ts";

/** Names that the host gives. `digits` are the last four of the mobile number. */
export const member = catalogue({
  "zh-CN": { nickname: "听众 {digits}" },
  "en-US": { nickname: "Listener {digits}" },
});
