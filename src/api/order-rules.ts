/** The largest quantity of an order. */
export const maxQuantity = 99;

/** Returns the quantity in the query of a URL; 1 where it is missing or out of range. */
export function parseQuantity(search: string): number {
  const quantity = Number(new URLSearchParams(search).get("quantity"));
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= maxQuantity ? quantity : 1;
}
