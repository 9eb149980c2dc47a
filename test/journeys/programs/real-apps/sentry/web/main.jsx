import * as Sentry from '@sentry/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const settings = new URLSearchParams(location.search);
const gateway = settings.get('gateway');

Sentry.init({
  dsn: settings.get('dsn'),
  release: 'web@3.1.0',
  environment: 'production',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
  tracePropagationTargets: [gateway],
  enableLogs: true,
});

function Shop() {
  const [said, setSaid] = useState('');
  const checkOut = () =>
    Sentry.startSpan({ name: 'Check out', op: 'ui.action.click' }, async () => {
      Sentry.logger.info('checking out');
      const answer = await fetch(`${gateway}/api/checkout`, { method: 'POST', body: '{"article":1}' });
      setSaid(answer.ok ? 'Thank you' : 'The order failed');
    });
  return (
    <main>
      <button type="button" onClick={checkOut}>
        Check out
      </button>
      <p role="status">{said}</p>
    </main>
  );
}

createRoot(document.getElementById('root')).render(<Shop />);
