// A program as a user writes it: an unmodified SDK, one DSN, and a bug. Prints the id of the event it sends.
import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: 'shop-api@1.4.0',
  environment: 'staging',
  beforeSend: (event) => {
    process.stdout.write(`${event.event_id}\n`);
    return event;
  },
});

Sentry.setUser({ id: '77', email: 'ada@example.com' });
Sentry.setTag('region', 'eu-west');
Sentry.addBreadcrumb({ category: 'cart', message: 'added a bicycle', level: 'info' });

function readDiscount(coupon) {
  return coupon.discount.percent;
}

function applyCoupon(cart) {
  return cart.total * (1 - readDiscount(cart.coupon) / 100);
}

applyCoupon({ total: 120, coupon: {} });
