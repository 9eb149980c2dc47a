'use client';

import { Merge, Undo2 } from 'lucide-react';
import { useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { showToast } from '#ui/toast.tsx';
import { type GroupingResult, mergeAction, undoChangeAction } from './grouping-actions.ts';

/** Makes one issue of the chosen ones: the one with most events stays. Nothing where they cannot be one. */
export function MergeButton({
  organizationSlug,
  issues,
  onDone,
}: {
  organizationSlug: string;
  issues: readonly { id: number; projectId: number }[];
  onDone: () => void;
}) {
  const { isPending, run } = useGroupingChange(organizationSlug);
  const isOneProject = new Set(issues.map(({ projectId }) => projectId)).size === 1;
  if (issues.length < 2 || !isOneProject) return null;
  const merge = () =>
    run(
      () => mergeAction({ organizationSlug, issueIds: issues.map(({ id }) => id) }),
      ({ shortId }) => `${formatPlural(issues.length - 1, 'issue')} merged into ${shortId}`,
      onDone,
    );
  return (
    <Button disabled={isPending} onClick={merge}>
      <Merge aria-hidden className="size-3.5" />
      <span className="max-sm:sr-only">{isPending ? 'Merging…' : 'Merge'}</span>
    </Button>
  );
}

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
