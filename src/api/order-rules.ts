/** The largest quantity of an order. */
export const maxQuantity = 99;
/** Characters of a search among one's orders. */
export const maxSearchLength = 64;

/** Returns the quantity in the query of a URL; 1 where it is missing or out of range. */
export function parseQuantity(search: string): number {
  const quantity = Number(new URLSearchParams(search).get("quantity"));
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= maxQuantity ? quantity : 1;
}

/** The postage of a goods order, in fen: free from `free_from_fen` of goods. */
export interface Postage {
  fen: number;
  free_from_fen: number;
}

export function calculatePostage(goodsFen: number, { fen, free_from_fen }: Postage): number {
  return goodsFen >= free_from_fen ? 0 : fen;
}

/** For how long a payment of a closed order is looked for at the provider, in ms. */
export const queryClosedFor = 6 * 3600_000;
