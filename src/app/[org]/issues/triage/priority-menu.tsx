'use client';

import { ChevronDown, SignalMedium } from 'lucide-react';
import { ISSUE_PRIORITIES, type IssuePriority } from '#domain/issues/issue.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuRadioGroup } from '#ui/menu.tsx';
import type { TriageAction } from '../triage.ts';
import { PRIORITY_LABELS, PriorityIcon } from './priority-icon.tsx';

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
