'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { showToast } from '#ui/toast.tsx';
import { focusAtEnd, useShortcuts } from '../../../shell/use-shortcuts.ts';
import type { IssueRowView } from '../issue-view.ts';
import { ARCHIVE_UNTIL_ESCALATING, RESOLVE_NOW, type TriageAction } from '../triage.ts';

/** The keys of the list: the focus is on a row, and keys act on the selected rows, else on that one. */
export function useStreamKeys({
  rows,
  chosen,
  canTriage,
  searchRef,
  onToggle,
  onClear,
  onAct,
}: {
  rows: readonly IssueRowView[];
  /** The selected ones. */
  chosen: readonly IssueRowView[];
  canTriage: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
  onToggle: (issueId: number) => void;
  /** null when nothing is selected. */
  onClear: (() => void) | null;
  onAct: (action: TriageAction, targets: readonly IssueRowView[]) => void;
}): void {
  function moveFocus(step: 1 | -1) {
    const at = rows.findIndex((row) => row.id === focusedRowId());
    const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
    focusRow(rows[next]?.id);
  }

  function act(action: TriageAction) {
    const at = rows.findIndex((row) => row.id === focusedRowId());
    const focused = rows[at];
    const targets = chosen.length > 0 ? chosen : focused ? [focused] : [];
    if (targets.length === 0) {
      showToast({ title: 'Select an issue first: use j and k to move, x to select', tone: 'danger' });
      return;
    }
    if (chosen.length === 0) {
      // The row goes away: the next one takes the focus, so that the same key goes on from there.
      if (action.verb !== 'assign') focusRow((rows[at + 1] ?? rows[at - 1])?.id);
      else if (focused) assigned.current = { issueId: focused.id, at };
    }
    onAct(action, targets);
  }

  /** An assigned row stays, unless the list is narrowed by assignee: then the focus is handed on when it has gone. */
  const assigned = useRef<{ issueId: number; at: number } | null>(null);
  useEffect(() => {
    const { issueId, at } = assigned.current ?? {};
    if (at === undefined || rows.some((row) => row.id === issueId)) return;
    assigned.current = null;
    if (document.activeElement === document.body) focusRow(rows[Math.min(at, rows.length - 1)]?.id);
  }, [rows]);

  useShortcuts({
    'list.next': () => moveFocus(1),
    'list.previous': () => moveFocus(-1),
    'list.open': openFocusedRow,
    search: () => focusAtEnd(searchRef.current),
    ...(canTriage && {
      'list.select': () => {
        const focused = focusedRowId();
        if (focused !== null) onToggle(focused);
      },
      'list.resolve': () => act(RESOLVE_NOW),
      'list.archive': () => act(ARCHIVE_UNTIL_ESCALATING),
      'list.assign': () => act({ verb: 'assign' }),
    }),
    ...(onClear && { 'list.clear': onClear }),
  });
}

const ROW_ATTRIBUTE = 'data-issue-row';

/** Attributes of the link of a row, so that the keyboard finds it. */
export const rowFocusProps = (issueId: number) => ({ [ROW_ATTRIBUTE]: String(issueId) });

/** The issue whose row holds the focus; null when none does. */
function focusedRowId(): number | null {
  const row = document.activeElement?.closest('li')?.querySelector(`[${ROW_ATTRIBUTE}]`);
  return row ? Number(row.getAttribute(ROW_ATTRIBUTE)) : null;
}

/** Moves the focus to a row's link and brings it into view. */
function focusRow(issueId: number | undefined): void {
  if (issueId === undefined) return;
  const link = document.querySelector<HTMLElement>(`[${ROW_ATTRIBUTE}="${issueId}"]`);
  link?.focus({ preventScroll: true });
  link?.closest('li')?.scrollIntoView({ block: 'nearest' });
}

/** Follows the link of the row that has the focus. */
function openFocusedRow(): void {
  const issueId = focusedRowId();
  if (issueId !== null) document.querySelector<HTMLElement>(`[${ROW_ATTRIBUTE}="${issueId}"]`)?.click();
}
