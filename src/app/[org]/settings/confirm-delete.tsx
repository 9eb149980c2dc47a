'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';

/** Deletes one thing of a list, after a question. */
export function ConfirmDelete({
  name,
  consequence,
  action,
  afterHref = null,
}: {
  /** As it stands behind "Delete". */
  name: string;
  /** What is different afterwards, in sentences. */
  consequence: string;
  /** Answers what went wrong, or null. */
  action: () => Promise<string | null>;
  /** Where to go once it is gone; null to stay. */
  afterHref?: string | null;
}) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  const remove = () =>
    startTransition(async () => {
      const problem = await action();
      setIsOpen(false);
      if (problem) {
        showToast({ title: 'It was not deleted', description: problem, tone: 'danger' });
        return;
      }
      showToast({ title: `Deleted: ${name}` });
      if (afterHref !== null) router.push(afterHref);
    });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button size="sm" variant="ghost" iconOnly aria-label={`Delete ${name}`} title={`Delete ${name}`}>
          <Trash2 aria-hidden className="size-3.5" />
        </Button>
      }
      title={`Delete ${name}?`}
      description={`${consequence} This cannot be undone.`}
      footer={
        <>
          <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={remove}>
            {isPending ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    />
  );
}
