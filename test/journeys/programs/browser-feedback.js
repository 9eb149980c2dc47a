import * as Sentry from '@sentry/browser';

Sentry.init({
  dsn: new URLSearchParams(window.location.search).get('dsn'),
  release: 'shop-web@2.0.1',
  environment: 'production',
  integrations: [Sentry.feedbackIntegration({ colorScheme: 'light' })],
});
