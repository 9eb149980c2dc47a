'use client';

import { useTransition } from 'react';
import { holdLive } from '#app/live/live-state.ts';
import type { IssueRestoration } from '#domain/issues/issue.ts';
import { showToast } from '#ui/toast.tsx';
import { triageIssues, undoTriage } from './actions.ts';
import { type ShownChange, type TriageAction, triageDone } from './triage.ts';

/**
 * Does what a person asks for on the server, with a toast that can undo it. `onOptimistic` shows the result at once; it
 * is taken back by itself when the server refuses.
 */
export function useTriage({
  organizationSlug,
  onOptimistic,
}: {
  organizationSlug: string;
  onOptimistic: (change: ShownChange, issueIds: readonly number[]) => void;
}): {
  isPending: boolean;
  triage: (action: TriageAction, issues: readonly { id: number; shortId: string }[]) => void;
} {
  const [isPending, startTransition] = useTransition();

  function triage(action: TriageAction, issues: readonly { id: number; shortId: string }[]) {
    const issueIds = issues.map((issue) => issue.id);
    if (issueIds.length === 0) return;
    startTransition(async () => {
      onOptimistic(action, issueIds);
      const result = await reach(() => holdLive(() => triageIssues({ organizationSlug, action, issueIds })));
      if (!result.ok) {
        showToast({ title: result.message, tone: 'danger' });
        return;
      }
      const title = triageDone(
        action,
        issues.map((issue) => issue.shortId),
      );
      const restoration = result.value;
      showToast({
        title,
        ...(restoration && { action: { label: 'Undo', onSelect: () => undo(restoration) } }),
      });
    });
  }

  function undo(restoration: IssueRestoration) {
    startTransition(async () => {
      onOptimistic(
        restoration,
        restoration.entries.map(({ issueId }) => issueId),
      );
      const result = await reach(() => holdLive(() => undoTriage({ organizationSlug, restoration })));
      if (!result.ok) showToast({ title: result.message, tone: 'danger' });
    });
  }

  return { isPending, triage };
}

/** A server that does not answer is told like a refusal; redirects go on to the router. */
async function reach<T extends { ok: boolean }>(
  call: () => Promise<T>,
): Promise<T | { ok: false; message: string }> {
  try {
    return await call();
  } catch (error) {
    if (isNavigation(error)) throw error;
    return { ok: false, message: 'Couldn’t reach the server. No changes were made. Try again.' };
  }
}

function isNavigation(error: unknown): boolean {
  return error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_');
}
