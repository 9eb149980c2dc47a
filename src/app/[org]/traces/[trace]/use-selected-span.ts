'use client';

import { useSearchParams } from 'next/navigation';
import { useSyncExternalStore } from 'react';

const PARAMETER = 'span';
const listeners = new Set<() => void>();

/**
 * The span that the address names, and a way to name another without loading the page again. The address is read itself:
 * what the router knows of it comes too late for somebody who holds an arrow key.
 */
export function useSelectedSpan(): [spanId: string | null, select: (spanId: string | null) => void] {
  const asked = useSearchParams().get(PARAMETER);
  const selected = useSyncExternalStore(subscribe, readSelected, () => asked);
  return [selected, selectSpan];
}

const readSelected = (): string | null => new URL(window.location.href).searchParams.get(PARAMETER);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function selectSpan(spanId: string | null): void {
  const url = new URL(window.location.href);
  if (spanId === null) url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, spanId);
  window.history.replaceState(null, '', url);
  for (const listener of listeners) listener();
}
