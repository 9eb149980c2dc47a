export type Price = { amount: number; currency: string };
export type Item = { name: string; price: Price };

/** Throws for an item without a price: what the journey looks for is the line below. */
function readPrice(item: Item): number {
  return item.price.amount;
}

export function totalOf(items: readonly Item[]): number {
  let total: number = 0;
  for (const item of items) {
    total += readPrice(item);
  }
  return total;
}
