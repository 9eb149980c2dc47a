'use client';

import { Undo2 } from 'lucide-react';
import { useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';
import { type GroupingResult, undoChangeAction } from './grouping-actions.ts';

export function UndoChange({ organizationSlug, changeId }: { organizationSlug: string; changeId: number }) {
  const { isPending, undo } = useGroupingChange(organizationSlug);
  return (
    <Button size="sm" disabled={isPending} onClick={() => undo(changeId)}>
      <Undo2 aria-hidden className="size-3.5" />
      {isPending ? 'Undoing…' : 'Undo'}
    </Button>
  );
}

/** Runs a change of the grouping, says how it went, and offers to take it back. */
export function useGroupingChange(organizationSlug: string) {
  const [isPending, start] = useTransition();
  const run = (
    work: () => Promise<GroupingResult>,
    words: (result: { shortId: string }) => string,
    onDone: () => void = () => {},
  ) =>
    start(async () => {
      const result = await work();
      if (!result.ok) {
        showToast({ title: 'No changes were made', description: result.message, tone: 'danger' });
        return;
      }
      const { changeId } = result.value;
      showToast({ title: words(result.value), action: { label: 'Undo', onSelect: () => undo(changeId) } });
      onDone();
    });
  const undo = (changeId: number) =>
    start(async () => {
      const result = await undoChangeAction({ organizationSlug, changeId });
      showToast(
        result.ok
          ? { title: 'Change undone' }
          : { title: 'Couldn’t undo the change', description: result.message, tone: 'danger' },
      );
    });
  return { isPending, run, undo };
}
