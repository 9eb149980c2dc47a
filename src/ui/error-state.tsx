'use client';

import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** What a page says when it failed: what is wrong, another try, and the digest that the server log knows. */
export function ErrorState({
  title,
  children,
  digest,
  onRetry,
}: {
  title: string;
  children?: ReactNode;
  digest?: string;
  onRetry?: () => void;
}) {
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        tone="danger"
        title={title}
        actions={
          onRetry ? (
            <Button variant="primary" onClick={onRetry}>
              <RotateCw aria-hidden className="size-3.5" />
              Try again
            </Button>
          ) : null
        }
      >
        {children}
        {digest ? <p className="mono mt-2 text-xs">Digest: {digest}</p> : null}
      </EmptyState>
    </div>
  );
}
