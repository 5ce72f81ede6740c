import { catalogue } from "./catalogue.ts";

export const concert = catalogue({
  "zh-CN": {
    close: "关闭横幅",
    joinedBy: "人已加入",
    join: "加入计划",
    joined: "已加入",
    see: "看这场演出",
    notActivated: "先到手机 App 完成注册并激活",
    notActivatedHint: "激活后就能加入计划。",
  },
  "en-US": {
    close: "Close the banner",
    joinedBy: "people are in",
    join: "Join the plan",
    joined: "You are in",
    see: "See this show",
    notActivated: "Finish registration in the mobile app first",
    notActivatedHint: "Once it is activated there, you can join the plan.",
  },
});
