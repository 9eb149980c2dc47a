'use client';

import { useTransition } from 'react';
import { showToast } from '#ui/toast.tsx';
import { holdLive } from '../../live/hold-live.ts';
import { triageIssues, undoTriage } from './actions.ts';
import { type TriageVerb, triageDone, type UndoEntry } from './triage.ts';

/**
 * Does a triage verb on the server, with a toast that can undo it. `onOptimistic` shows the result at once; it is taken
 * back by itself when the server refuses.
 */
export function useTriage({
  organizationSlug,
  onOptimistic,
}: {
  organizationSlug: string;
  onOptimistic: (verb: TriageVerb, issueIds: readonly number[]) => void;
}): {
  isPending: boolean;
  triage: (verb: TriageVerb, issues: readonly { id: number; shortId: string }[]) => void;
} {
  const [isPending, startTransition] = useTransition();

  function triage(verb: TriageVerb, issues: readonly { id: number; shortId: string }[]) {
    const issueIds = issues.map((issue) => issue.id);
    if (issueIds.length === 0) return;
    startTransition(async () => {
      onOptimistic(verb, issueIds);
      const result = await reach(() => holdLive(() => triageIssues({ organizationSlug, verb, issueIds })));
      if (!result.ok) {
        showToast({ title: result.message, tone: 'danger' });
        return;
      }
      const title = triageDone(
        verb,
        issues.map((issue) => issue.shortId),
      );
      showToast({ title, action: { label: 'Undo', onSelect: () => undo(verb, result.undo) } });
    });
  }

  function undo(verb: TriageVerb, entries: UndoEntry[]) {
    if (entries.length === 0) return;
    startTransition(async () => {
      const result = await reach(() => holdLive(() => undoTriage({ organizationSlug, verb, entries })));
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
    return { ok: false, message: 'The server did not answer: nothing was changed. Try again.' };
  }
}

function isNavigation(error: unknown): boolean {
  return error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_');
}
