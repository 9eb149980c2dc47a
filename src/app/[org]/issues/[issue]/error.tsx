'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import { ErrorState } from '#ui/error-state.tsx';

export default function IssueError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const router = useRouter();
  return (
    <ErrorState
      title="The issue could not be loaded"
      digest={error.digest}
      onRetry={() =>
        startTransition(() => {
          router.refresh();
          reset();
        })
      }
    >
      A store did not answer, or the server failed. Try again; when it stays, look for the digest in the
      server log.
    </ErrorState>
  );
}
