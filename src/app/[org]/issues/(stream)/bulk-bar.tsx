'use client';

import { RotateCcw, UserPlus, X } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { Kbd } from '#ui/kbd.tsx';
import { MergeButton } from '../grouping-changes/grouping-change-buttons.tsx';
import type { IssueRowView } from '../issue-view.ts';
import { ArchiveButton } from '../triage/archive-button.tsx';
import { PriorityMenu } from '../triage/priority-menu.tsx';
import { ResolveButton } from '../triage/resolve-button.tsx';
import type { TriageAction } from '../triage.ts';

/** What can be done to the selected issues. */
export function BulkBar({
  organizationSlug,
  rows,
  onAct,
  onClear,
}: {
  organizationSlug: string;
  rows: readonly IssueRowView[];
  onAct: (action: TriageAction) => void;
  onClear: () => void;
}) {
  const hasOpen = rows.some((row) => row.status === 'unresolved');
  const hasClosed = rows.some((row) => row.status !== 'unresolved');
  const priorities = new Set(rows.map((row) => row.priority));
  const [priority] = priorities;
  return (
    <div
      role="toolbar"
      aria-label="Selected issues"
      className="fixed inset-x-2 bottom-16 z-30 mx-auto flex w-fit max-w-[calc(100vw-1rem)] items-center gap-1.5 overflow-x-auto rounded-lg bg-surface-raised p-1.5 shadow-float sm:bottom-6"
    >
      <span className="numbers whitespace-nowrap px-2 text-sm" role="status">
        <span className="font-semibold">{rows.length}</span>
        <span className="max-sm:sr-only"> selected</span>
      </span>
      {hasOpen ? (
        <>
          <ResolveButton
            organizationSlug={organizationSlug}
            scopes={rows}
            hint={<KeyHint name="e" />}
            side="top"
            isCompact
            onAct={onAct}
          />
          <ArchiveButton hint={<KeyHint name="a" />} side="top" isCompact onAct={onAct} />
        </>
      ) : null}
      {hasClosed ? (
        <Button onClick={() => onAct({ verb: 'unresolve' })}>
          <RotateCcw aria-hidden className="size-3.5" />
          Unresolve
        </Button>
      ) : null}
      <PriorityMenu priority={priorities.size === 1 ? (priority ?? null) : null} side="top" onAct={onAct} />
      <Button onClick={() => onAct({ verb: 'assign' })}>
        <UserPlus aria-hidden className="size-3.5" />
        <span className="max-sm:sr-only">Assign to me</span>
      </Button>
      <MergeButton organizationSlug={organizationSlug} issues={rows} onDone={onClear} />
      <Button variant="ghost" iconOnly aria-label="Clear selection" title="Escape" onClick={onClear}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function KeyHint({ name }: { name: string }) {
  return (
    <span aria-hidden className="hidden opacity-80 sm:inline">
      <Kbd>{name}</Kbd>
    </span>
  );
}
