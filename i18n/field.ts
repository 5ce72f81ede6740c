import { catalogue } from "./catalogue.ts";

/** Validation errors of fields. The keys are the messages of the schemas in `src/api`, for server and forms alike. */
export const field = catalogue({
  "zh-CN": {
    required: "这里要填",
    tooShort: "太短了",
    tooLong: "太长了",
    invalid: "这样写不行",
    mobile: "要 11 位大陆手机号",
    username: "要手机号，或账号名",
    code: "6 位数字，在短信里",
    range: "数目不在范围内",
    region: "选到最后一级",
  },
  "en-US": {
    required: "Needed",
    tooShort: "Too short",
    tooLong: "Too long",
    invalid: "Cannot be written like this",
    mobile: "An 11-digit mainland mobile number",
    username: "A mobile number or an account name",
    code: "Six digits, from the message",
    range: "Outside the range",
    region: "Choose down to the last level",
  },
});

export type Reason = keyof (typeof field)["en-US"];
