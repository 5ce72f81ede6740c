import type { MemberPackage } from "../../api/package.ts";

/** The letter plate of a pass, and the sheet that is its picture. */
export const plates: Record<MemberPackage["level"], string> = { 1: "A", 2: "B", 3: "C" };
export const posters: Record<MemberPackage["level"], string> = { 1: "m-a", 2: "m-b", 3: "m-c" };

/** The classes that colour what a pass hangs from, and its plate: those of a level. */
export const lanyards: Record<MemberPackage["level"], string> = { 1: "lan-1", 2: "lan-2", 3: "lan-3" };
export const plateLevels: Record<MemberPackage["level"], string> = { 1: "lv-1", 2: "lv-2", 3: "lv-3" };
