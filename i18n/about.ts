import { catalogue } from "./catalogue.ts";

export const about = catalogue({
  "zh-CN": { updated: "更新于 {date}", contact: "联系运营者" },
  "en-US": { updated: "Last changed {date}", contact: "How to reach the operator" },
});
