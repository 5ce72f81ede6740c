/** Money in fen as a shop writes it: ¥98, ¥26.50. */
export function yuan(fen: number): string {
  const digits = fen % 100 === 0 ? 0 : 2;
  return `¥${(fen / 100).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** A moment to the minute, as a receipt writes it: `2027.03.01 20:14`, in China's time. */
export function moment(iso: string): string {
  const written = new Date(Date.parse(iso) + 8 * 3600_000).toISOString();
  return `${written.slice(0, 10).replaceAll("-", ".")} ${written.slice(11, 16)}`;
}
