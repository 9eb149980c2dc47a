// Sends one handled error, always the same, and ends once it has been answered. Prints the event's id.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.env.SENTRY_DSN });

function chargeCard() {
  throw new RangeError('The card was refused by the bank');
}

try {
  chargeCard();
} catch (error) {
  process.stdout.write(`${Sentry.captureException(error)}\n`);
}
process.exitCode = (await Sentry.flush(10_000)) ? 0 : 1;
