import { catalogue } from "./catalogue.ts";

/** States that all islands share. */
export const state = catalogue({
  "zh-CN": {
    loading: "正在加载",
    failedTitle: "没加载出来",
    retry: "再试一次",
    needsLoginTitle: "先登录",
    needsLoginBody: "登录后这里就是你的。",
    login: "去登录",
    mall: "去商城",
    orders: "我的订单",
    events: "近期演出",
    offline: "没连上。检查网络后再试。",
    timeout: "等了太久没有回音。再试一次。",
    busy: "太频繁了，歇一会儿再试。",
    server: "服务出了点问题，过一分钟再试。",
    unreadable: "回来的内容读不懂。过一分钟再试。",
    broken: "这一块出了错。再试一次，不行就刷新页面。",
  },
  "en-US": {
    loading: "Loading",
    failedTitle: "Did not load",
    retry: "Try again",
    needsLoginTitle: "Log in first",
    needsLoginBody: "Once you are in, this is yours.",
    login: "Log in",
    mall: "To the mall",
    orders: "My orders",
    events: "Upcoming shows",
    offline: "No connection. Check your network and retry.",
    timeout: "No answer in time. Try again.",
    busy: "Too many tries. Take a short break.",
    server: "Something broke on our side. Try again in a minute.",
    unreadable: "The answer made no sense. Try again in a minute.",
    broken: "Something went wrong here. Try again, or reload the page.",
  },
});

/** Of a page for everybody that stays when the server has ended the session. */
export const sessionEnd = catalogue({
  "zh-CN": { title: "登录已失效，要用时再登录。" },
  "en-US": { title: "You have been logged out." },
});

/** Of what the device has stored of a member's tickets and orders, where the server cannot be reached. */
export const snapshot = catalogue({
  "zh-CN": {
    takenAt: "没取到最新的，内容截至 {time}。",
    needsLatest: "取到最新的，才能接着操作。",
  },
  "en-US": {
    takenAt: "The latest did not load. This is as of {time}.",
    needsLatest: "You can go on here once it has loaded.",
  },
});
export type SnapshotStates = (typeof state)["zh-CN"] & (typeof snapshot)["zh-CN"];

/** Without the links that lead on from a page of its own. */
export type OwnStates = Omit<(typeof state)["zh-CN"], "mall" | "orders" | "events">;

/** Of pages for everybody: nothing there needs a session. */
export type PublicStates = Omit<(typeof state)["zh-CN"], "needsLoginTitle" | "needsLoginBody" | "login" | "orders" | "events">;
