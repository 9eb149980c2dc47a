'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import { ErrorState } from '#ui/error-state.tsx';

export default function StreamError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const router = useRouter();
  return (
    <ErrorState
      title="The issues could not be loaded"
      digest={error.digest}
      onRetry={() =>
        startTransition(() => {
          router.refresh();
          reset();
        })
      }
    >
      A store did not answer, or the server failed. Nothing is lost: events go on arriving. Try again; when it
      stays, look for the digest in the server log.
    </ErrorState>
  );
}
