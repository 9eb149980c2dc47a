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

/** Merged profiles have no order in time. */
export const MERGED_VIEWS = VIEWS.filter(({ value }) => value !== 'time');

/** The view that the address names, else the first, and a way to name another without loading the page again. */
export function useView(views: readonly { value: View }[]): [view: View, choose: (view: View) => void] {
  const asked = useSearchParams().get(PARAMETER);
  const value = useSyncExternalStore(subscribe, readView, () => asked);
  return [views.find((view) => view.value === value)?.value ?? views[0]?.value ?? 'time', chooseView];
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
