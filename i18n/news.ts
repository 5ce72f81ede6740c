import { catalogue } from "./catalogue.ts";

export const news = catalogue({
  "zh-CN": {
    news: "新闻",
    allNews: "全部新闻",
    readFor: "约 {minutes} 分钟读完",
    by: "撰文",
    share: "分享",
    copied: "链接已复制",
    readOn: "接着读",
    otherLanguage: "这一篇只有英文。",
    pictures: "图片",
    pages: "分页",
    newer: "后一篇",
    newerPage: "上一页",
    olderPage: "下一页",
    older: "前一篇",
    noneTitle: "还没有新闻",
    noneBody: "过几天再来看。",
  },
  "en-US": {
    news: "News",
    allNews: "All news",
    readFor: "{minutes} min read",
    by: "Words",
    share: "Share",
    copied: "Link copied",
    readOn: "Read on",
    otherLanguage: "This one is only in Chinese.",
    pictures: "Pictures",
    pages: "Pages",
    newer: "Newer",
    newerPage: "Newer",
    olderPage: "Older",
    older: "Older",
    noneTitle: "No news yet",
    noneBody: "Look again in a few days.",
  },
});

/** Kinds of news, by the keys of `newsKinds` in `src/content/schema/news.ts`. */
export const newsKind = catalogue({
  "zh-CN": { notice: "公告", live: "现场", backstage: "幕后", mall: "商城", tour: "巡演" },
  "en-US": { notice: "Notice", live: "Live", backstage: "Backstage", mall: "Mall", tour: "Tour" },
});
