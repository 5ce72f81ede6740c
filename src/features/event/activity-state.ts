import { activityInfo } from "../../api/activity.ts";
import { fetchAtBuild } from "../../api/fetch-at-build.ts";

const fetchActivities = () => fetchAtBuild(activityInfo, {}, "zh-CN");

/** Returns an activity as of the build; null without a server, or when the server does not have it. */
export async function fetchActivityAtBuild(uid: string) {
  return (await fetchActivities())?.list.find(({ activity_uid }) => activity_uid === uid) ?? null;
}

/** Returns whether an event's page offers booking. Without a server it does: the browser's call decides. */
export async function isBookable(uid: string): Promise<boolean> {
  return (await fetchActivities()) === undefined || (await fetchActivityAtBuild(uid)) !== null;
}
