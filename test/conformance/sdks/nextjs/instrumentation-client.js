import * as Sentry from '@sentry/nextjs';

Sentry.init({
  dsn: new URLSearchParams(window.location.search).get('dsn'),
  release: 'conformance-nextjs@1.0.0',
  environment: 'conformance',
  tracesSampleRate: 1,
  enableLogs: true,
});

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;
