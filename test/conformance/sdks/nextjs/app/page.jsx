'use client';

import * as Sentry from '@sentry/nextjs';
import { useEffect } from 'react';

export default function Page() {
  useEffect(() => {
    window.sendAll = async () => {
      Sentry.getCurrentScope().addAttachment({
        filename: 'notes.txt',
        data: 'attached by Next.js',
        contentType: 'text/plain',
      });
      const eventId = Sentry.captureException(new TypeError('cart.lines is undefined'));
      Sentry.captureMessage('A message of Next.js', 'warning');
      Sentry.logger.warn('A log of Next.js', { attempt: 3 });
      Sentry.captureFeedback({
        message: 'It broke',
        name: 'Ada',
        email: 'ada@example.com',
        associatedEventId: eventId,
      });
      await fetch('/api/fail');
      return Sentry.flush(20_000);
    };
  }, []);
  return <h1>Shop</h1>;
}
