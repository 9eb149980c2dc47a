import * as Sentry from '@sentry/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

Sentry.init({
  dsn: new URLSearchParams(window.location.search).get('dsn'),
  release: 'conformance-react@1.0.0',
  environment: 'conformance',
  tracesSampleRate: 1,
  enableLogs: true,
  integrations: [Sentry.browserTracingIntegration()],
});

function Cart({ cart }) {
  return createElement('p', null, cart.lines.length);
}

const root = createRoot(document.getElementById('root'), { onUncaughtError: Sentry.reactErrorHandler() });

window.sendAll = async () => {
  Sentry.getCurrentScope().addAttachment({
    filename: 'notes.txt',
    data: 'attached by React',
    contentType: 'text/plain',
  });
  const failed = new Promise((resolve) => {
    const fallback = ({ eventId }) => {
      resolve(eventId);
      return createElement('p', null, 'It broke');
    };
    root.render(createElement(Sentry.ErrorBoundary, { fallback }, createElement(Cart, { cart: {} })));
  });
  const eventId = await failed;
  Sentry.captureMessage('A message of React', 'warning');
  Sentry.startSpan({ name: 'render', op: 'ui.react' }, () => {});
  Sentry.logger.warn('A log of React', { attempt: 3 });
  Sentry.captureFeedback({
    message: 'It broke',
    name: 'Ada',
    email: 'ada@example.com',
    associatedEventId: eventId,
  });
  return Sentry.flush(20_000);
};
