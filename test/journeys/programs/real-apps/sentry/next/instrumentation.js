import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
    dsn: process.env.SENTRY_DSN,
    release: 'gateway@1.0.0',
    environment: 'production',
    tracesSampleRate: 1,
    enableLogs: true,
  });
}

export const onRequestError = Sentry.captureRequestError;
