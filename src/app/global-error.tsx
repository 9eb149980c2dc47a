'use client';

import './globals.css';
import { ApplicationError } from './error-reporting/application-error.tsx';

/** Stands in for the whole document when the root layout failed too. */
export default function GlobalErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Application error · Errata</title>
        <main className="grid min-h-dvh place-items-center">
          <ApplicationError error={error} retry={retry} />
        </main>
      </body>
    </html>
  );
}
