'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { startTransition, useEffect, useSyncExternalStore } from 'react';
import { Notice } from '../notice.tsx';
import { installedRouteLoader } from './installed-route-loader.ts';

const subscribe = (listener: () => void) => installedRouteLoader()?.subscribe(listener) ?? (() => {});
const isLoading = () => installedRouteLoader()?.isLoading() ?? false;
const isSlow = () => installedRouteLoader()?.isSlow() ?? false;
const isNot = () => false;

/**
 * Place once around all pages, within Suspense. Loads an old page anew behind the one that is shown, shows at once that
 * another page was asked for, and says when it is long in coming.
 */
export function RouteWatcher() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is shown is looked at once
  useEffect(() => {
    if (installedRouteLoader()?.arrive(location.href)) startTransition(() => router.refresh());
  }, [pathname, search, router]);

  const isPending = useSyncExternalStore(subscribe, isLoading, isNot);
  useEffect(() => {
    if (!isPending) return;
    const main = document.getElementById('main');
    main?.setAttribute('aria-busy', 'true');
    return () => main?.removeAttribute('aria-busy');
  }, [isPending]);

  const isWaiting = useSyncExternalStore(subscribe, isSlow, isNot);
  return (
    <>
      {isPending ? (
        <div
          role="progressbar"
          aria-label="Loading page"
          className="fixed inset-x-0 top-0 z-50 h-[3px] origin-left animate-progress bg-accent-line"
        />
      ) : null}
      <div aria-live="polite" className="pointer-events-none fixed inset-x-4 top-14 z-40 mx-auto max-w-lg">
        {isWaiting ? (
          <div className="rounded-md shadow-float">
            <Notice tone="warning">This page is taking longer than usual. The server may be busy.</Notice>
          </div>
        ) : null}
      </div>
    </>
  );
}
