// Everything that @sentry/node sends by its own means, once.
import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: 'conformance-node@1.0.0',
  environment: 'conformance',
  tracesSampleRate: 1,
  enableLogs: true,
  sendDefaultPii: true,
});

Sentry.startSession();
Sentry.getCurrentScope().addAttachment({
  filename: 'notes.txt',
  data: 'attached by @sentry/node',
  contentType: 'text/plain',
});
Sentry.setUser({ id: '7', email: 'ada@example.com' });

const eventId = await Sentry.startSpan({ name: 'GET /checkout', op: 'http.server' }, () =>
  Sentry.startSpan({ name: 'SELECT * FROM carts', op: 'db.query' }, () =>
    Sentry.captureException(new RangeError('The card was refused')),
  ),
);
Sentry.captureMessage('A message of @sentry/node', 'warning');
Sentry.logger.info('A log of %s', ['@sentry/node'], { attempt: 3, isFirst: true, ratio: 0.5 });
Sentry.metrics.count('orders', 2, { attributes: { region: 'eu' } });
Sentry.metrics.gauge('queue', 17);
Sentry.metrics.distribution('latency', 187.5, { unit: 'millisecond' });
const checkInId = Sentry.captureCheckIn(
  { monitorSlug: 'nightly', status: 'in_progress' },
  { schedule: { type: 'crontab', value: '0 3 * * *' }, timezone: 'Europe/Paris' },
);
Sentry.captureCheckIn({ checkInId, monitorSlug: 'nightly', status: 'ok', duration: 3 });
Sentry.captureFeedback({
  message: 'It broke',
  name: 'Ada',
  email: 'ada@example.com',
  associatedEventId: eventId,
});
Sentry.endSession();
process.exitCode = (await Sentry.flush(20_000)) ? 0 : 1;
