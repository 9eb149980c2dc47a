'use client';

import { useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';
import { allowSharingAction, stopSharingIssueAction } from './sharing-actions.ts';

export function SharingSwitch({ orgSlug, isAllowed }: { orgSlug: string; isAllowed: boolean }) {
  const { run, isPending } = useRun();
  return (
    <Button
      disabled={isPending}
      onClick={() =>
        run(
          () => allowSharingAction(orgSlug, !isAllowed),
          isAllowed ? 'Sharing is switched off' : 'Sharing is allowed',
        )
      }
    >
      {isAllowed ? 'Switch sharing off' : 'Allow sharing'}
    </Button>
  );
}

export function StopSharingButton({ orgSlug, shortId }: { orgSlug: string; shortId: string }) {
  const { run, isPending } = useRun();
  return (
    <Button
      size="sm"
      disabled={isPending}
      aria-label={`Stop sharing ${shortId}`}
      onClick={() => run(() => stopSharingIssueAction(orgSlug, shortId), `Not shared any more: ${shortId}`)}
    >
      Stop sharing
    </Button>
  );
}

function useRun() {
  const [isPending, startTransition] = useTransition();
  return {
    isPending,
    run: (action: () => Promise<string | null>, done: string) =>
      startTransition(async () => {
        const problem = await action();
        showToast(problem ? { title: problem, tone: 'danger' } : { title: done });
      }),
  };
}
