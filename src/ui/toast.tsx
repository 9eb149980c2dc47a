'use client';

import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { onDemand, useOnDemand } from './on-demand/on-demand.ts';
import type { ToastMessage } from './toast/toast-view.tsx';

const toastView = onDemand(() => import('./toast/toast-view.tsx'));

/** A page that cannot fetch the code of toasts keeps the newest few. */
const WAITING_MAX = 3;

let waiting: ToastMessage[] = [];
let isReady = false;
let isNeeded = false;
const listeners = new Set<() => void>();

/** Shows a message for a few seconds, from anywhere in client code. */
export function showToast(message: ToastMessage): void {
  waiting = [...waiting, message].slice(-WAITING_MAX);
  setNeeded(true);
  if (isReady) flush();
}

/** Shows that something was done, or why it was refused. */
export function showResult(refusal: string | null, doneTitle: string): void {
  showToast(refusal ? { title: refusal, tone: 'danger' } : { title: doneTitle });
}

function setNeeded(next: boolean): void {
  isNeeded = next;
  for (const each of listeners) each();
}

function flush(): void {
  const view = toastView.get();
  if (!view) return;
  isReady = true;
  const messages = waiting;
  waiting = [];
  for (const message of messages) view.addToast(message);
}

/** Place once, around the page. The code of toasts is fetched with the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  const needed = useSyncExternalStore(
    subscribe,
    () => isNeeded,
    () => false,
  );
  const view = useOnDemand(toastView, needed, () => setNeeded(false));
  return (
    <>
      {children}
      {view ? <view.ToastView onReady={flush} /> : null}
    </>
  );
}
