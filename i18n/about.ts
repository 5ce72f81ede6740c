import { catalogue } from "./catalogue.ts";

export const about = catalogue({
  "zh-CN": { updated: "更新于 {date}" },
  "en-US": { updated: "Last changed {date}" },
});
