'use client';

import { Merge } from 'lucide-react';
import { type ReactNode, useState, useTransition } from 'react';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import type { MergePreview } from '#product/grouping/merge-issues.ts';
import { Button, type ButtonSize } from '#ui/button.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { showToast } from '#ui/toast.tsx';
import { mergeAction, previewMergeAction } from './grouping-actions.ts';
import { useGroupingChange } from './grouping-change-buttons.tsx';

/** Merges the selected issues into the one with most events. Nothing where they cannot be merged. */
export function MergeButton({
  organizationSlug,
  issues,
  onDone,
}: {
  organizationSlug: string;
  issues: readonly { id: number; projectId: number }[];
  onDone: () => void;
}) {
  const isOneProject = new Set(issues.map(({ projectId }) => projectId)).size === 1;
  if (issues.length < 2 || !isOneProject) return null;
  return (
    <ConfirmedMerge organizationSlug={organizationSlug} issueIds={issues.map(({ id }) => id)} onDone={onDone}>
      <Merge aria-hidden className="size-3.5" />
      <span className="max-sm:sr-only">Merge</span>
    </ConfirmedMerge>
  );
}

/** A button that says how many issues and events a merge changes before it merges them. */
export function ConfirmedMerge({
  organizationSlug,
  issueIds,
  targetId,
  size,
  disabled = false,
  onDone,
  children,
}: {
  organizationSlug: string;
  issueIds: readonly number[];
  /** The issue that stays; without one it is the one with most events. */
  targetId?: number;
  size?: ButtonSize;
  disabled?: boolean;
  onDone: () => void;
  children: ReactNode;
}) {
  const [preview, setPreview] = useState<MergePreview | null>(null);
  const [isCounting, startCounting] = useTransition();
  const { isPending, run } = useGroupingChange(organizationSlug);
  const input = { organizationSlug, issueIds: [...issueIds], targetId };

  const ask = () =>
    startCounting(async () => {
      const answer = await previewMergeAction(input);
      if (answer.ok) setPreview(answer.value);
      else showToast({ title: 'These issues can’t be merged', description: answer.message, tone: 'danger' });
    });

  const merge = () =>
    run(
      () => mergeAction(input),
      ({ shortId }) => `${formatPlural(issueIds.length - 1, 'issue')} merged into ${shortId}`,
      () => {
        setPreview(null);
        onDone();
      },
    );

  return (
    <>
      <Button size={size} disabled={disabled || isCounting} aria-busy={isCounting} onClick={ask}>
        {children}
      </Button>
      {preview ? (
        <FormDialog
          title={`Merge ${formatPlural(preview.issues, 'issue')} into ${preview.into}?`}
          description={`${formatPlural(preview.issues, 'issue')} with ${formatPlural(preview.events, 'event')} ${
            preview.issues === 1 ? 'becomes' : 'become'
          } part of ${preview.into}, which then has ${formatPlural(preview.eventsAfter, 'event')}.`}
          submitLabel={isPending ? 'Merging…' : 'Merge'}
          isPending={isPending}
          onSubmit={merge}
          onClose={() => setPreview(null)}
        >
          <p className="text-sm">
            {preview.issues === 1 ? 'Its short ID leads' : 'Their short IDs lead'} to {preview.into}, and so
            do new events. You can undo this for {formatPlural(preview.undoDays, 'day')}.
          </p>
        </FormDialog>
      ) : null}
    </>
  );
}
