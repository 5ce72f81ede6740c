/** The postage of a goods order, in fen: free from `free_from_fen` of goods. */
export interface Postage {
  fen: number;
  free_from_fen: number;
}

export function calculatePostage(goodsFen: number, { fen, free_from_fen }: Postage): number {
  return goodsFen >= free_from_fen ? 0 : fen;
}
