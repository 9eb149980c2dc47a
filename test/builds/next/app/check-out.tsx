'use client';

import { type Cart, checkOut } from '../../shop/checkout.ts';

export function CheckOut() {
  const pay = () => {
    const cart: Cart = JSON.parse('{ "items": [{ "name": "Tea" }] }');
    document.title = checkOut(cart);
  };
  return (
    <button type="button" onClick={pay}>
      Check out
    </button>
  );
}
