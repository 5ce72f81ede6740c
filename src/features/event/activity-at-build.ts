import { activityInfo } from "../../api/activity.ts";
import { atBuild } from "../../api/at-build.ts";

const read = () => atBuild(activityInfo, {}, "zh-CN");

let built: ReturnType<typeof read> | undefined;
/** Returns an activity's state while the site is built; null without a server, or when the server does not know it. */
export async function activityAtBuild(uid: string) {
  built = import.meta.env.DEV ? read() : (built ?? read());
  return (await built)?.list.find((one) => one.activity_uid === uid) ?? null;
}
