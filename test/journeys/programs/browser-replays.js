import * as Sentry from '@sentry/browser';

const settings = new URLSearchParams(window.location.search);

Sentry.init({
  dsn: settings.get('dsn'),
  release: 'shop-web@2.0.1',
  environment: 'production',
  integrations: [
    Sentry.replayIntegration({
      maskAllText: false,
      minReplayDuration: 1_000,
      networkDetailAllowUrls: [window.location.origin],
    }),
  ],
  replaysSessionSampleRate: 1,
  replaysOnErrorSampleRate: 1,
});
Sentry.setUser({ id: '42', email: 'ada@example.com' });
window.findReplayId = () => Sentry.getReplay().getReplayId();

// Its handler does nothing, as one that broke.
document.querySelector('#broken').addEventListener('click', () => {});

document.querySelector('#fail').addEventListener('click', async () => {
  console.warn('cart is empty');
  await fetch('/api/cart');
  document.querySelector('#total').textContent = 'Failed';
  Sentry.captureException(new TypeError('Cannot read properties of undefined (reading "total")'));
});
