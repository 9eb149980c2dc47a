'use client';

import { useEffect } from 'react';
import { ErrorState } from '#ui/error-state.tsx';
import { isReloadingForFiles } from '#ui/navigation/missing-files.ts';
import { applicationErrorTitle, CLIENT_ERROR_HINT, digestOf, SERVER_ERROR_HINT } from './error-words.ts';
import { reportError } from './held-errors.ts';

/** What stands in place of a page that failed, and the report of the failure. `error` is whatever was thrown. */
export function ApplicationError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = digestOf(error);
  useEffect(() => {
    // An error with a digest was thrown on the server, which reports it itself.
    // A missing file was reported when it did not come.
    if (digest === null && !isMissingFile(error))
      reportError(error, 'auto.function.react.error_boundary', true);
  }, [error, digest]);
  if (isReloadingForFiles()) return <p role="status">Loading the new version …</p>;
  return (
    <ErrorState
      title={applicationErrorTitle(digest === null ? 'client' : 'server')}
      digest={digest ?? undefined}
      onRetry={retry}
    >
      <p>{digest === null ? CLIENT_ERROR_HINT : SERVER_ERROR_HINT}</p>
    </ErrorState>
  );
}

/** The framework's name for a script that did not come. */
const isMissingFile = (error: unknown): boolean => error instanceof Error && error.name === 'ChunkLoadError';
