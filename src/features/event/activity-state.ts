import { activityInfo } from "../../api/activity.ts";
import { fetchAtBuild } from "../../api/fetch-at-build.ts";

const ask = () => fetchAtBuild(activityInfo, {}, "zh-CN");

/** Returns an activity's state while the site is built; null without a server, or when the server does not know it. */
export async function activityAtBuild(uid: string) {
  return (await ask())?.list.find((one) => one.activity_uid === uid) ?? null;
}

/** Whether an event's page offers places: without a server nobody knows, and the browser finds out. */
export async function isBookable(uid: string): Promise<boolean> {
  return (await ask()) === undefined || (await activityAtBuild(uid)) !== null;
}
