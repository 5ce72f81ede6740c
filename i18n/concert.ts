import { catalogue } from "./catalogue.ts";

export const concert = catalogue({
  "zh-CN": {
    close: "关闭横幅",
    queue: "129 个点排成三列，走向入口",
    joinedBy: "人已加入",
    openDot: "每个点是 1,000 人，最后的空位留给你",
    yourDot: "每个点是 1,000 人，黄色那个里有你",
    join: "加入计划",
    joined: "已加入",
    see: "看这场演出",
    notActivated: "先到手机 App 完成注册并激活",
    notActivatedHint: "激活后就能加入计划。",
    failed: "没连上。检查网络后再试。",
  },
  "en-US": {
    close: "Close the banner",
    queue: "129 dots in three rows, walking to the entrance",
    joinedBy: "people are in",
    openDot: "Each dot is 1,000. The open one is yours",
    yourDot: "Each dot is 1,000. You are in the yellow one",
    join: "Join the plan",
    joined: "You are in",
    see: "See this show",
    notActivated: "Finish registration in the mobile app first",
    notActivatedHint: "Once it is activated there, you can join the plan.",
    failed: "No connection. Check your network and retry.",
  },
});
