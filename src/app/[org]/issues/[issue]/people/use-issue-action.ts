'use client';

import { useTransition } from 'react';
import { holdLive } from '#app/live/live-state.ts';
import { showToast } from '#ui/toast.tsx';
import type { ActionResult } from './on-issue.ts';

/** Runs an action of the issue's page: a refusal is told in a toast, and so is what `done` says of a success. */
export function useIssueAction(): {
  isPending: boolean;
  run: <Value>(
    action: () => Promise<ActionResult<Value>>,
    done?: (value: Value) => Parameters<typeof showToast>[0] | null,
  ) => void;
} {
  const [isPending, startTransition] = useTransition();
  return {
    isPending,
    run: (action, done) =>
      startTransition(async () => {
        const result = await holdLive(action);
        if (!result.ok) {
          showToast({ title: result.message, tone: 'danger' });
          return;
        }
        const toast = done?.(result.value);
        if (toast) showToast(toast);
      }),
  };
}
