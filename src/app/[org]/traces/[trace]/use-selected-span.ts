'use client';

import { useSearchParams } from 'next/navigation';

const PARAMETER = 'span';

/** The span that the address names, and a way to name another, without loading the page again. */
export function useSelectedSpan(): [spanId: string | null, select: (spanId: string | null) => void] {
  const selected = useSearchParams().get(PARAMETER);
  return [selected, selectSpan];
}

/** The address of the page with another span selected. */
function selectSpan(spanId: string | null): void {
  const url = new URL(window.location.href);
  if (spanId === null) url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, spanId);
  window.history.replaceState(null, '', url);
}
