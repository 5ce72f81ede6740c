import type { MemberPackage } from "./package.ts";

type Level = MemberPackage["level"];

/** The name of the poster that shows a level. */
export const levelPosters: Record<Level, string> = { 1: "m-a", 2: "m-b", 3: "m-c" };
