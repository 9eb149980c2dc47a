// Sends twelve events of three issues to the DSN of its argument, with the SDK for Node.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.argv[2], release: 'shop@1.0.0', environment: 'production' });
const throwAt = (make) => {
  try {
    throw make();
  } catch (error) {
    Sentry.captureException(error);
  }
};
for (let index = 0; index < 7; index++) throwAt(() => new TypeError('boom'));
for (let index = 0; index < 4; index++) {
  Sentry.withScope((scope) => {
    scope.setUser({ id: `u${index}`, email: `u${index}@customer.example` });
    scope.setTag('cart', 'big');
    throwAt(() => new RangeError('limit'));
  });
}
Sentry.captureMessage('hello', 'warning');
process.exit((await Sentry.flush(20_000)) ? 0 : 1);
