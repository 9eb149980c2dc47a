import * as Sentry from '@sentry/browser';
import { type Cart, checkOut } from './checkout.ts';

const settings = new URLSearchParams(location.search);

Sentry.init({
  dsn: settings.get('dsn') ?? '',
  ...(settings.has('release') ? { release: settings.get('release') ?? '' } : {}),
  ...(settings.has('dist') ? { dist: settings.get('dist') ?? '' } : {}),
});

document.querySelector('button')?.addEventListener('click', () => {
  const cart: Cart = JSON.parse('{ "items": [{ "name": "Tea" }] }');
  document.title = checkOut(cart);
});
