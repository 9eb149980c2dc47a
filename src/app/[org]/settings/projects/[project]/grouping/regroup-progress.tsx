'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { cancelRegroupAction } from './actions.ts';

const REFRESH_EVERY_MS = 1_500;

/** Progress of a regroup. It runs in the background, independent of this page. */
export function RegroupProgress({
  orgSlug,
  projectSlug,
  change,
  canCancel,
}: {
  orgSlug: string;
  projectSlug: string;
  change: GroupingChange;
  canCancel: boolean;
}) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);

  const cancel = () =>
    start(async () => {
      const problem = await cancelRegroupAction(orgSlug, change.id);
      showToast(
        problem === null
          ? { title: 'Canceled. Nothing was changed.' }
          : { title: 'Could not cancel', description: problem, tone: 'danger' },
      );
    });

  const { eventsSeen, eventsTotal, state } = change;
  const percent = eventsTotal === 0 ? 0 : Math.min(100, Math.floor((eventsSeen / eventsTotal) * 100));
  return (
    <Card
      id="progress"
      title={TITLES[state] ?? 'Regrouping'}
      actions={
        canCancel && state === 'scanning' ? (
          <Button size="sm" isPending={isPending} onClick={cancel}>
            {isPending ? 'Canceling…' : 'Cancel'}
          </Button>
        ) : null
      }
    >
      <div
        role="progressbar"
        aria-label={`Regrouping ${projectSlug}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={state === 'scanning' ? percent : undefined}
        className="h-2 overflow-hidden rounded-sm bg-surface-pressed"
      >
        <div
          className={cx('h-full bg-accent-solid transition-[width]', state !== 'scanning' && 'opacity-60')}
          style={{ width: state === 'scanning' ? `${percent}%` : '100%' }}
        />
      </div>
      <p aria-live="polite" className="mt-2 text-sm text-text-muted">
        {state === 'scanning'
          ? `${formatExact(eventsSeen)} of ${formatExact(eventsTotal)} events checked (${percent}%). Nothing has changed yet. New events use the previous rules until all events have been checked.`
          : state === 'moving'
            ? 'The issues are regrouped and the rules are active. Events that arrived in the meantime are next.'
            : 'The previous issues and rules are restored. Events that arrived since then are being regrouped.'}
      </p>
      {change.lastError ? (
        <div className="mt-3">
          <Notice tone="warning" title="The last step failed and will be retried">
            {change.lastError}
          </Notice>
        </div>
      ) : null}
    </Card>
  );
}

const TITLES: Readonly<Partial<Record<GroupingChange['state'], string>>> = {
  scanning: 'Regrouping stored events',
  moving: 'Finishing regrouping',
  undoing: 'Undoing the change',
};
