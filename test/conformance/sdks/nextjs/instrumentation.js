import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
    dsn: process.env.SENTRY_DSN,
    release: 'conformance-nextjs@1.0.0',
    environment: 'conformance',
    tracesSampleRate: 1,
    enableLogs: true,
  });
}

export const onRequestError = Sentry.captureRequestError;
