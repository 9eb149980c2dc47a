import { type Item, totalOf } from './prices.ts';

export interface Cart {
  readonly items: readonly Item[];
  readonly voucher?: string;
}

export function checkOut(cart: Cart): string {
  const total = totalOf(cart.items);
  return cart.voucher ? `${total} with ${cart.voucher}` : `${total}`;
}
