'use client';

import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

/** Says that the browser has no network, while it has none: what the page shows may be old. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="flex items-center justify-center gap-2 border-b bg-warning-soft px-4 py-1.5 text-sm text-text">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
          You are offline. What you see may be old, and changes cannot be saved.
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
