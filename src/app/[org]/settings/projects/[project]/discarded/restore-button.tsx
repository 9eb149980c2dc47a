'use client';

import { useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';
import { restoreAction } from './discarded-actions.ts';

export function RestoreButton({
  orgSlug,
  projectSlug,
  discardedId,
  shortId,
}: {
  orgSlug: string;
  projectSlug: string;
  discardedId: number;
  shortId: string;
}) {
  const [isPending, startTransition] = useTransition();
  return (
    <Button
      size="sm"
      disabled={isPending}
      aria-label={`Take events of ${shortId} again`}
      onClick={() =>
        startTransition(async () => {
          const problem = await restoreAction(orgSlug, projectSlug, discardedId);
          if (problem) showToast({ title: problem, tone: 'danger' });
          else showToast({ title: `Events of ${shortId} are taken again` });
        })
      }
    >
      {isPending ? 'Restoring…' : 'Restore'}
    </Button>
  );
}
