'use client';

import { useSearchParams } from 'next/navigation';
import { useSyncExternalStore } from 'react';

export const VIEWS = [
  { value: 'time', label: 'Time order' },
  { value: 'left-heavy', label: 'Left heavy' },
  { value: 'tree', label: 'Call tree' },
  { value: 'functions', label: 'Top functions' },
] as const;
export type View = (typeof VIEWS)[number]['value'];

const PARAMETER = 'view';
const listeners = new Set<() => void>();

/** The view that the address names, and a way to name another without loading the page again. */
export function useView(): [view: View, choose: (view: View) => void] {
  const asked = useSearchParams().get(PARAMETER);
  const value = useSyncExternalStore(subscribe, readView, () => asked);
  return [VIEWS.find((view) => view.value === value)?.value ?? 'time', chooseView];
}

const readView = (): string | null => new URL(window.location.href).searchParams.get(PARAMETER);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function chooseView(view: View): void {
  const url = new URL(window.location.href);
  url.searchParams.set(PARAMETER, view);
  window.history.replaceState(null, '', url);
  for (const listener of listeners) listener();
}
