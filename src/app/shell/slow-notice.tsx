'use client';

import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { installedRouteLoader } from '#ui/navigation/installed-route-loader.ts';
import { ROUTE_LOAD_TIMEOUT_MS } from '#ui/navigation/limits.ts';
import { Notice } from '#ui/notice.tsx';

/**
 * Part of a page's skeleton: tells after the limit of a route load that it is slow, and offers a reload. For a page that
 * was opened from another, the route watcher says so.
 */
export function SlowNotice() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(!installedRouteLoader()?.isSlow()), ROUTE_LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className="mb-3">
      <Notice
        tone="warning"
        actions={
          <Button size="sm" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        This is taking longer than usual. The server may be busy.
      </Notice>
    </div>
  );
}
