/** Kinds of news: 公告, 现场, 幕后, 商城, 巡演. */
export const newsKinds = ["notice", "live", "backstage", "mall", "tour"] as const;
