/** Writes an amount in fen: ¥98, ¥26.50. */
export function formatYuan(fen: number): string {
  const digits = fen % 100 === 0 ? 0 : 2;
  return `¥${(fen / 100).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
