'use client';

import { CircleCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLiveChanges } from '#app/live/use-live-changes.tsx';
import { visibleText } from '#lib/visible-text.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { loadData } from '#ui/navigation/load-data.ts';
import type { FirstEvent } from './load-project.ts';

/** How often to poll, in case a pushed change was missed. */
const LOOK_INTERVAL_MS = 2_000;

/** Waits for the first event of a project, then links to the newest issue; updates live. */
export function FirstEventCue({
  orgSlug,
  project,
  initial,
  refreshesPage = false,
}: {
  orgSlug: string;
  project: { id: number; slug: string };
  initial: FirstEvent;
  /** Refreshes the rest of the page once the event arrives. */
  refreshesPage?: boolean;
}) {
  const [found, setFound] = useState(initial);
  const [firstSeen, setFirstSeen] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const router = useRouter();
  const isWaiting = found.issue === null;

  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'hidden') return;
    try {
      const newest = await loadData<FirstEvent>(`/${orgSlug}/projects/${project.slug}/first-event`);
      setFound(newest);
      setProblem(null);
      if (!isWaiting || !newest.issue) return;
      setFirstSeen(newest.issue.lastSeen);
      if (refreshesPage) router.refresh();
    } catch {
      setProblem('Can’t reach the server. Retrying…');
    }
  });
  useLiveChanges({ orgSlug, projectIds: [project.id], onChange: () => void look() });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void look(), LOOK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border p-4 transition-colors ${isWaiting ? 'bg-surface-raised' : 'border-transparent bg-success-soft'}`}
    >
      {found.issue ? (
        <>
          <CircleCheck aria-hidden className="size-6 shrink-0 text-success" />
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-semibold">
              {found.issue.lastSeen === firstSeen ? 'Your first event arrived' : 'Latest event'}
            </p>
            <p className="truncate text-sm text-text-muted">
              <bdi>{visibleText(found.issue.title)}</bdi>
            </p>
          </div>
          <ButtonLink variant="primary" href={`/${orgSlug}/issues/${found.issue.shortId}`}>
            Open {found.issue.shortId}
          </ButtonLink>
        </>
      ) : (
        <>
          <span aria-hidden className="grid size-6 shrink-0 place-items-center">
            <span className="size-3 animate-pulse rounded-full bg-accent-line" />
          </span>
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-semibold">Waiting for your first event</p>
            <p className="text-sm text-text-muted">
              {problem ??
                'Follow the steps below and send your first event. This page updates automatically.'}
            </p>
          </div>
        </>
      )}
    </div>
  );
}
