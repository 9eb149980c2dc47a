'use client';

import { Undo2 } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { useGroupingChange } from './use-grouping-change.ts';

export function UndoChange({ organizationSlug, changeId }: { organizationSlug: string; changeId: number }) {
  const { isPending, undo } = useGroupingChange(organizationSlug);
  return (
    <Button size="sm" disabled={isPending} onClick={() => undo(changeId)}>
      <Undo2 aria-hidden className="size-3.5" />
      {isPending ? 'Undoing…' : 'Undo'}
    </Button>
  );
}
