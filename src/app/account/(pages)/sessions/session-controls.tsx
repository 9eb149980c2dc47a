'use client';

import { useTransition } from 'react';
import { endOtherSessionsAction, endSessionAction } from '#app/account/(pages)/actions.ts';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';

export function EndSessionButton({ sessionId, device }: { sessionId: string; device: string }) {
  const [isPending, startTransition] = useTransition();
  return (
    <Button
      size="sm"
      disabled={isPending}
      aria-label={`Sign out ${device}`}
      onClick={() =>
        startTransition(async () => {
          const problem = await endSessionAction(sessionId);
          showToast(problem ? { title: problem, tone: 'danger' } : { title: `Signed out: ${device}` });
        })
      }
    >
      Sign out
    </Button>
  );
}

export function EndOthersButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <Button
      disabled={isPending}
      onClick={() =>
        startTransition(async () => {
          const ended = await endOtherSessionsAction();
          showToast({ title: ended === 1 ? 'Signed out of 1 session' : `Signed out of ${ended} sessions` });
        })
      }
    >
      Sign out everywhere else
    </Button>
  );
}
