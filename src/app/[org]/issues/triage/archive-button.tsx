'use client';

import { Archive } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ArchiveCondition } from '#domain/issues/issue.ts';
import { HOUR_MS } from '#lib/time.ts';
import { MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { ARCHIVE_UNTIL_ESCALATING, type TriageAction } from '../triage.ts';
import { ArchiveUntilDialog, type ConditionKind } from './archive-until-dialog.tsx';
import { SplitButton } from './split-button.tsx';

const TIMES = [
  { label: 'For 1 hour', ms: HOUR_MS },
  { label: 'For 1 day', ms: 24 * HOUR_MS },
  { label: 'For 1 week', ms: 7 * 24 * HOUR_MS },
];

/** Archives until the issue escalates, or by the menu until something else. */
export function ArchiveButton({
  hint,
  side,
  isCompact,
  onAct,
}: {
  hint?: ReactNode;
  side?: 'top' | 'bottom';
  isCompact?: boolean;
  onAct: (action: TriageAction) => void;
}) {
  const [asked, setAsked] = useState<ConditionKind | null>(null);
  const archive = (condition: ArchiveCondition) => onAct({ verb: 'archive', condition });
  return (
    <>
      <SplitButton
        icon={<Archive aria-hidden className="size-3.5" />}
        label="Archive"
        hint={hint}
        title="Archive until it escalates (a)"
        menuLabel="More archive options"
        side={side}
        isCompact={isCompact}
        onSelect={() => onAct(ARCHIVE_UNTIL_ESCALATING)}
      >
        <MenuItem onSelect={() => onAct(ARCHIVE_UNTIL_ESCALATING)}>Until it escalates</MenuItem>
        <MenuItem onSelect={() => archive({ kind: 'forever' })}>Forever</MenuItem>
        <MenuSeparator />
        {TIMES.map(({ label, ms }) => (
          <MenuItem key={label} onSelect={() => archive({ kind: 'date', untilMs: Date.now() + ms })}>
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setAsked('date')}>Until a date…</MenuItem>
        <MenuItem onSelect={() => setAsked('events')}>Until more events…</MenuItem>
        <MenuItem onSelect={() => setAsked('users')}>Until more users…</MenuItem>
      </SplitButton>
      {asked ? <ArchiveUntilDialog kind={asked} onClose={() => setAsked(null)} onArchive={archive} /> : null}
    </>
  );
}
