'use client';

import { useTransition } from 'react';
import { Button, type ButtonSize } from '#ui/button.tsx';
import { showToast } from '#ui/toast.tsx';

/** A button whose action answers what went wrong, or null. */
export function ActionButton({
  label,
  pendingLabel,
  action,
  size = 'sm',
}: {
  label: string;
  pendingLabel: string;
  action: () => Promise<string | null>;
  size?: ButtonSize;
}) {
  const [isPending, start] = useTransition();
  const run = () =>
    start(async () => {
      const problem = await action();
      if (problem) showToast({ title: problem, tone: 'danger' });
    });
  return (
    <Button size={size} disabled={isPending} onClick={run}>
      {isPending ? pendingLabel : label}
    </Button>
  );
}
