import * as Sentry from '@sentry/browser';

Sentry.init({
  dsn: new URLSearchParams(window.location.search).get('dsn'),
  release: 'conformance-browser@1.0.0',
  environment: 'conformance',
  tracesSampleRate: 1,
  enableLogs: true,
  sendDefaultPii: true,
  replaysSessionSampleRate: 1,
  integrations: [
    Sentry.browserTracingIntegration(),
    Sentry.replayIntegration({ minReplayDuration: 0, useCompression: true }),
  ],
});

window.sendAll = async () => {
  Sentry.getCurrentScope().addAttachment({
    filename: 'notes.txt',
    data: 'attached in the browser',
    contentType: 'text/plain',
  });
  const eventId = Sentry.captureException(new TypeError('cart.lines is undefined'));
  Sentry.captureMessage('A message of the browser', 'warning');
  Sentry.startSpan({ name: 'checkout', op: 'ui.action' }, () => {});
  Sentry.logger.warn('A log of the browser', { attempt: 3 });
  Sentry.metrics.count('clicks', 1);
  Sentry.captureFeedback({
    message: 'It broke',
    name: 'Ada',
    email: 'ada@example.com',
    associatedEventId: eventId,
  });
  await Sentry.getReplay()?.flush();
  return Sentry.flush(20_000);
};
