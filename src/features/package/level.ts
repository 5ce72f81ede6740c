import type { MemberPackage } from "../../api/package.ts";

/** The letter plate of a pass, and the sheet that is its picture. */
export const plates: Record<MemberPackage["level"], string> = { 1: "A", 2: "B", 3: "C" };
export const sheets: Record<MemberPackage["level"], string> = { 1: "m-a", 2: "m-b", 3: "m-c" };
