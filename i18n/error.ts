import { catalogue } from "./catalogue.ts";

export const error = catalogue({
  "zh-CN": {
    notFoundTitle: "页面不存在",
    notFoundHeading: "这扇门后面没有东西",
    notFound: "页面不存在：{path}",
    serverTitle: "服务出错",
    serverHeading: "灯跳闸了",
    serverStatus: "500 Internal Server Error",
    serverBody: "是我们的问题，不是你的。过一分钟再试。",
    home: "回首页",
    events: "看近期演出",
    retry: "再试一次",
  },
  "en-US": {
    notFoundTitle: "Page not found",
    notFoundHeading: "Nothing behind this door",
    notFound: "Page not found: {path}",
    serverTitle: "Server error",
    serverHeading: "The lights tripped",
    serverStatus: "500 Internal Server Error",
    serverBody: "Our fault, not yours. Try again in a minute.",
    home: "Back to the entrance",
    events: "See coming shows",
    retry: "Try again",
  },
});
