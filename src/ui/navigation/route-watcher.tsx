'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { startTransition, useEffect, useSyncExternalStore } from 'react';
import { Notice } from '../notice.tsx';
import { installedRouteLoader } from './installed-route-loader.ts';

const subscribe = (listener: () => void) => installedRouteLoader()?.subscribe(listener) ?? (() => {});
const isSlow = () => installedRouteLoader()?.isSlow() ?? false;

/**
 * Place once around all pages, within Suspense. Loads an old page anew behind the one that is shown, and says when a
 * page is long in coming.
 */
export function RouteWatcher() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is shown is looked at once
  useEffect(() => {
    if (installedRouteLoader()?.arrive(location.href)) startTransition(() => router.refresh());
  }, [pathname, search, router]);

  const isWaiting = useSyncExternalStore(subscribe, isSlow, () => false);
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-4 top-14 z-40 mx-auto max-w-lg">
      {isWaiting ? (
        <div className="rounded-md shadow-float">
          <Notice tone="warning">This page is taking longer than usual. The server may be busy.</Notice>
        </div>
      ) : null}
    </div>
  );
}
