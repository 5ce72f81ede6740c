import type { campaigns, stops } from "../schema/booking.ts";
import type { Localized } from "../schema/column.ts";
import { daysFrom, evening } from "./time.ts";

const both = (zh: string, en: string): Localized => ({ "zh-CN": zh, "en-US": en });

/** The campaign closes the day before its last stop. */
export function campaignSeed(now: Date): typeof campaigns.$inferInsert {
  const last = evening(now, "2027-04-05T19:00+08:00", 61);
  return { uid: "spring", title: both("春天开门", "Spring Opens"), opensAt: daysFrom(now, -3), closesAt: daysFrom(last, -1) };
}

export function stopSeed(now: Date): (typeof stops.$inferInsert)[] {
  return [
    stop(
      "kunming",
      both("昆明", "Kunming"),
      both("翠湖老澡堂", "The old bathhouse, Green Lake"),
      "2027-03-05T19:00+08:00",
      30,
      160,
      41,
    ),
    stop(
      "chengdu",
      both("成都", "Chengdu"),
      both("曹家巷电影院放映间", "Projection room, Caojia Lane"),
      "2027-03-13T19:00+08:00",
      38,
      120,
      35,
    ),
    stop("wuhan", both("武汉", "Wuhan"), both("江汉关钟楼", "Customs House clock tower"), "2027-03-20T19:00+08:00", 45, 60, 48),
    stop(
      "quanzhou",
      both("泉州", "Quanzhou"),
      both("西街旧糖厂", "The sugar works, West Street"),
      "2027-03-28T19:00+08:00",
      53,
      200,
      22,
    ),
    stop(
      "qingdao",
      both("青岛", "Qingdao"),
      both("小港冷库 3 号", "Cold store 3, Little Harbour"),
      "2027-04-05T19:00+08:00",
      61,
      80,
      80,
    ),
  ];

  function stop(
    name: string,
    city: Localized,
    venue: Localized,
    planned: string,
    days: number,
    capacity: number,
    taken: number,
  ) {
    return { campaignUid: "spring", stop: name, city, venue, startsAt: evening(now, planned, days), capacity, taken };
  }
}
