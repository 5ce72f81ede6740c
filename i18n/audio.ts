import { catalogue } from "./catalogue.ts";

/** Texts of the previews of an item, a show and a news item. */
export const audio = catalogue({
  "zh-CN": {
    listen: "试听",
    play: "播放《{title}》",
    position: "《{title}》的播放位置",
    failed: "没放出来。检查网络，再按一次。",
  },
  "en-US": {
    listen: "Listen",
    play: "Play “{title}”",
    position: "Position in “{title}”",
    failed: "That did not play. Check your network and press again.",
  },
});
