'use client';

import { RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';
import { holdLive } from '#app/live/live-state.ts';
import { LiveCue, useLiveChanges } from '#app/live/use-live-changes.tsx';
import { Button } from '#ui/button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { loadData, tellServer } from '#ui/navigation/load-data.ts';
import { comparePulse, type IssuePulse } from './issue-pulse.ts';

/** Follows the issue: its state by itself, new events behind a button that says how many. */
export function IssueLive({
  organizationSlug,
  shortId,
  projectId,
  shown,
}: {
  organizationSlug: string;
  shortId: string;
  projectId: number;
  shown: IssuePulse;
}) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const [timesSeen, setTimesSeen] = useState(shown.timesSeen);
  const refresh = () => startRefresh(() => router.refresh());
  const live = useLiveChanges({
    orgSlug: organizationSlug,
    projectIds: [projectId],
    onChange: async () => {
      const pulse = await loadPulse(organizationSlug, shortId);
      if (!pulse) return;
      setTimesSeen(pulse.timesSeen);
      if (comparePulse(shown, pulse).isStateNew) refresh();
    },
  });
  const newEvents = Math.max(0, timesSeen - shown.timesSeen);
  return (
    // As wide whatever the cue says: it must not wrap once it is connected.
    <span className="inline-flex min-w-14 items-center gap-2.5" role="status">
      {newEvents > 0 ? (
        <Button size="sm" variant="ghost" className="text-accent" disabled={isRefreshing} onClick={refresh}>
          <RefreshCw aria-hidden className="size-3.5" />
          {formatPlural(newEvents, 'new event')}
        </Button>
      ) : null}
      <LiveCue state={live} />
    </span>
  );
}

/** null when it cannot be had now; the next change asks again. */
async function loadPulse(organizationSlug: string, shortId: string): Promise<IssuePulse | null> {
  try {
    return await loadData<IssuePulse>(
      `/${encodeURIComponent(organizationSlug)}/issues/${encodeURIComponent(shortId)}/state`,
    );
  } catch {
    return null;
  }
}

/** Notes that the reader has seen the issue, once the page really is before them: it may have been fetched ahead. */
export function MarkSeen({ organizationSlug, shortId }: { organizationSlug: string; shortId: string }) {
  useEffect(() => {
    const address = `/${encodeURIComponent(organizationSlug)}/issues/${encodeURIComponent(shortId)}/seen`;
    // Nothing hangs on it: the next look counts as well.
    void holdLive(() => tellServer(address)).catch(() => {});
  }, [organizationSlug, shortId]);
  return null;
}
