'use client';

import { Merge, Undo2 } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { mergeAction } from './grouping-actions.ts';
import { useGroupingChange } from './use-grouping-change.ts';

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
