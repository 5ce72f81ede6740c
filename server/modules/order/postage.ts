import type { Membership } from "../member/member.ts";

/** 12 yuan, free from 199 yuan of goods. */
const general = { fen: 1200, free_from_fen: 19_900 };

/** What delivery costs a member, given the pass that they hold. */
export function getPostage(pass: Membership): { fen: number; free_from_fen: number } {
  return ruleFor(pass?.package.freePostage ?? false);
}

function ruleFor(isFree: boolean): { fen: number; free_from_fen: number } {
  return isFree ? { fen: 0, free_from_fen: 0 } : general;
}

/** In fen, for goods of so many fen; `isFree` for a member whose pass brings free delivery. */
export function calculatePostage(goodsFen: number, isFree: boolean): number {
  const { fen, free_from_fen } = ruleFor(isFree);
  return goodsFen >= free_from_fen ? 0 : fen;
}
