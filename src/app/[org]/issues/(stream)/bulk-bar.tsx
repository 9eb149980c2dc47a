'use client';

import { Archive, Check, RotateCcw, UserPlus, X } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { Kbd } from '#ui/kbd.tsx';
import type { IssueRowView } from '../issue-view.ts';
import type { TriageVerb } from '../triage.ts';

/** What can be done to the selected issues. */
export function BulkBar({
  rows,
  onAct,
  onClear,
}: {
  rows: readonly IssueRowView[];
  onAct: (verb: TriageVerb) => void;
  onClear: () => void;
}) {
  const hasOpen = rows.some((row) => row.status === 'unresolved');
  const hasClosed = rows.some((row) => row.status !== 'unresolved');
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
          <Button variant="primary" onClick={() => onAct('resolve')}>
            <Check aria-hidden className="size-3.5" />
            Resolve
            <KeyHint name="e" />
          </Button>
          <Button onClick={() => onAct('archive')}>
            <Archive aria-hidden className="size-3.5" />
            Archive
            <KeyHint name="a" />
          </Button>
        </>
      ) : null}
      {hasClosed ? (
        <Button onClick={() => onAct('unresolve')}>
          <RotateCcw aria-hidden className="size-3.5" />
          Unresolve
        </Button>
      ) : null}
      <Button onClick={() => onAct('assign')}>
        <UserPlus aria-hidden className="size-3.5" />
        <span className="max-sm:sr-only">Assign to me</span>
      </Button>
      <Button variant="ghost" iconOnly aria-label="Clear the selection" title="Escape" onClick={onClear}>
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
