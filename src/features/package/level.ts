import type { MemberPackage } from "../../api/package.ts";

/** The classes that colour the lanyard and the plate of a level. */
export const lanyardClasses: Record<MemberPackage["level"], string> = { 1: "lan-1", 2: "lan-2", 3: "lan-3" };
export const plateClasses: Record<MemberPackage["level"], string> = { 1: "lv-1", 2: "lv-2", 3: "lv-3" };
