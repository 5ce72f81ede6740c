import type { activities } from "../schema/activity.ts";
import type { Localized } from "../schema/column.ts";
import { daysFrom, evening, hoursAfter } from "./time.ts";

const both = (zh: string, en: string): Localized => ({ "zh-CN": zh, "en-US": en });

/** Booking is open from three days ago until two hours before the start; one activity opens later, one is full. */
export function activitySeed(now: Date): (typeof activities.$inferInsert)[] {
  return [
    show(
      "entrance",
      both("入口", "Entrance"),
      both("西岸一号仓", "West Bund Depot 1"),
      both("上海", "Shanghai"),
      "2027-03-20T19:30+08:00",
      30,
      1200,
      341,
    ),
    show(
      "echo",
      both("回声地图", "Echo Map"),
      both("东郊七号库", "East Yard Hall 7"),
      both("成都", "Chengdu"),
      "2027-04-03T20:00+08:00",
      44,
      800,
      126,
    ),
    show(
      "low",
      both("低频气象", "Low-Frequency Weather"),
      both("平面剧场", "Flat Theatre"),
      both("北京", "Beijing"),
      "2027-04-17T19:30+08:00",
      58,
      600,
      563,
    ),
    show(
      "slow",
      both("慢速公路", "Slow Highway"),
      both("江岸车间", "Riverside Works"),
      both("广州", "Guangzhou"),
      "2027-05-01T20:00+08:00",
      72,
      500,
      88,
    ),
    {
      ...show(
        "midnight",
        both("零点播音", "Midnight Broadcast"),
        both("湾区录音棚", "Bay Studio"),
        both("深圳", "Shenzhen"),
        "2027-05-16T23:30+08:00",
        87,
        120,
        0,
      ),
      opensAt: daysFrom(now, 14),
    },
    show(
      "glass",
      both("玻璃合唱", "Glass Choir"),
      both("运河音乐厅", "Canal Concert Hall"),
      both("杭州", "Hangzhou"),
      "2027-06-05T19:30+08:00",
      107,
      300,
      300,
    ),
  ];

  function show(
    uid: string,
    title: Localized,
    venue: Localized,
    city: Localized,
    planned: string,
    days: number,
    capacity: number,
    booked: number,
  ) {
    const startsAt = evening(now, planned, days);
    const times = {
      startsAt,
      endsAt: hoursAfter(startsAt, 2.5),
      opensAt: daysFrom(now, -3),
      closesAt: hoursAfter(startsAt, -2),
    };
    return { uid, title, venue, city, capacity, booked, ...times };
  }
}
