'use client';

import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';

const leaveQuestion = onDemand(() => import('./leave-question.tsx'));

/** While there are unsaved changes, asks before the page is left. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const question = useOnDemand(leaveQuestion, isChanged);
  return question ? <question.LeaveQuestion isChanged={isChanged} /> : null;
}
