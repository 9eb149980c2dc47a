'use client';

import type { ReactNode } from 'react';
import { useSelectedSpan } from './use-selected-span.ts';

/** Selects a span in the waterfall. */
export function SpanLink({ spanId, children }: { spanId: string; children: ReactNode }) {
  const [, select] = useSelectedSpan();
  return (
    <a
      href={`?span=${spanId}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        select(spanId);
        document.getElementById('waterfall')?.scrollIntoView({ block: 'nearest' });
      }}
      className="whitespace-nowrap text-accent underline-offset-2 hover:underline"
    >
      {children}
    </a>
  );
}
