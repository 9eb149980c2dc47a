'use client';

import { ChevronDown, SignalHigh, SignalLow, SignalMedium } from 'lucide-react';
import type { ReactNode } from 'react';
import { ISSUE_PRIORITIES, type IssuePriority } from '#domain/issues/issue.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuRadioGroup } from '#ui/menu.tsx';
import type { TriageAction } from '../triage.ts';

/** Shows the priority and lets it be chosen. Of several issues, null where they differ. */
export function PriorityMenu({
  priority,
  side,
  onAct,
}: {
  priority: IssuePriority | null;
  side?: 'top' | 'bottom';
  onAct: (action: TriageAction) => void;
}) {
  return (
    <Menu
      side={side}
      trigger={
        <Button
          aria-label={priority ? `Priority: ${PRIORITY_LABELS[priority]}` : 'Priority'}
          title="Priority"
        >
          {priority ? <PriorityIcon priority={priority} /> : <SignalMedium aria-hidden className="size-4" />}
          <span className="max-sm:sr-only">{priority ? PRIORITY_LABELS[priority] : 'Priority'}</span>
          <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
        </Button>
      }
    >
      <MenuRadioGroup<IssuePriority | ''>
        label="Priority"
        value={priority ?? ''}
        onValueChange={(chosen) => {
          if (chosen !== '' && chosen !== priority) onAct({ verb: 'prioritize', priority: chosen });
        }}
        options={ISSUE_PRIORITIES.map((value) => ({
          value,
          label: PRIORITY_LABELS[value],
          icon: <PriorityIcon priority={value} />,
        }))}
      />
    </Menu>
  );
}

function PriorityIcon({ priority }: { priority: IssuePriority }) {
  return ICONS[priority];
}

const PRIORITY_LABELS: Readonly<Record<IssuePriority, string>> = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

const ICONS: Readonly<Record<IssuePriority, ReactNode>> = {
  high: <SignalHigh aria-hidden className="size-4" />,
  medium: <SignalMedium aria-hidden className="size-4" />,
  low: <SignalLow aria-hidden className="size-4" />,
};
