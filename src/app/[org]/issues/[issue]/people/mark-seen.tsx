'use client';

import { useEffect } from 'react';
import { holdLive } from '#app/live/hold-live.ts';
import { tellServer } from '#ui/navigation/load-data.ts';

/** Notes that the reader has seen the issue, once the page really is before them: it may have been fetched ahead. */
export function MarkSeen({ organizationSlug, shortId }: { organizationSlug: string; shortId: string }) {
  useEffect(() => {
    const address = `/${encodeURIComponent(organizationSlug)}/issues/${encodeURIComponent(shortId)}/seen`;
    // Nothing hangs on it: the next look counts as well.
    void holdLive(() => tellServer(address)).catch(() => {});
  }, [organizationSlug, shortId]);
  return null;
}
