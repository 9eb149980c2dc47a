'use client';

import { Star } from 'lucide-react';
import { useOptimistic, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { showToast } from '#ui/toast.tsx';
import { starDashboardAction } from './dashboard-actions.ts';

/** Puts a dashboard at the top of the reader's own list. */
export function StarButton({
  organizationSlug,
  dashboardId,
  title,
  isStarred,
}: {
  organizationSlug: string;
  dashboardId: number;
  title: string;
  isStarred: boolean;
}) {
  const [shown, show] = useOptimistic(isStarred);
  const [, startTransition] = useTransition();
  return (
    <Button
      variant="ghost"
      size="sm"
      iconOnly
      aria-label={`Star ${title}`}
      aria-pressed={shown}
      title={shown ? 'Remove star' : 'Star'}
      onClick={() =>
        startTransition(async () => {
          show(!shown);
          const refusal = await starDashboardAction(organizationSlug, { id: dashboardId, isStarred: !shown });
          if (refusal !== null) showToast({ title: refusal, tone: 'danger' });
        })
      }
    >
      <Star aria-hidden className={cx('size-4', shown ? 'fill-current text-warning' : 'text-text-faint')} />
    </Button>
  );
}
