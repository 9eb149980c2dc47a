'use client';

import { useEffect } from 'react';
import { ErrorState } from '#ui/error-state.tsx';
import { reportError } from './held-errors.ts';

/** What stands in place of a page that failed, and the report of the failure. `error` is whatever was thrown. */
export function ApplicationError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = digestOf(error);
  useEffect(() => {
    // An error with a digest was thrown on the server, which reports it itself.
    if (digest === null) reportError(error, 'auto.function.react.error_boundary', true);
  }, [error, digest]);
  return (
    <ErrorState
      title={`Application error: a ${digest === null ? 'client' : 'server'}-side exception has occurred`}
      digest={digest ?? undefined}
      onRetry={retry}
    >
      {digest === null ? (
        <p>The browser console says more about it. Try again; if it stays, tell whoever runs this server.</p>
      ) : (
        <p>
          The server logs say more about it: look there for the digest. Try again; if it stays, tell whoever
          runs this server.
        </p>
      )}
    </ErrorState>
  );
}

function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null;
  return String(error.digest);
}
