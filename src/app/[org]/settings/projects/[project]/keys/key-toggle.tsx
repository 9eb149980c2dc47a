'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { setKeyActiveAction } from './key-actions.ts';

/** Turns a key off, after asking, or on again. */
export function KeyToggle({
  orgSlug,
  projectSlug,
  clientKey,
}: {
  orgSlug: string;
  projectSlug: string;
  clientKey: { id: number; label: string; isActive: boolean };
}) {
  const [isAsking, setIsAsking] = useState(false);
  const [isPending, startTransition] = useTransition();

  function setActive(isActive: boolean) {
    startTransition(async () => {
      const problem = await setKeyActiveAction(orgSlug, projectSlug, clientKey.id, isActive);
      setIsAsking(false);
      if (problem) showToast({ title: problem, tone: 'danger' });
      else showToast({ title: `${clientKey.label} is ${isActive ? 'enabled' : 'disabled'}` });
    });
  }

  if (!clientKey.isActive) {
    return (
      <Button size="sm" disabled={isPending} onClick={() => setActive(true)}>
        {isPending ? 'Enabling…' : 'Enable'}
      </Button>
    );
  }
  return (
    <Dialog
      open={isAsking}
      onOpenChange={setIsAsking}
      title={`Disable ${clientKey.label}?`}
      description="Programs that use its DSN are turned away from then on, and what they send is lost. You can enable it again."
      trigger={<Button size="sm">Disable</Button>}
      footer={
        <>
          <Button onClick={() => setIsAsking(false)}>Keep it</Button>
          <Button variant="danger" disabled={isPending} onClick={() => setActive(false)}>
            {isPending ? 'Disabling…' : 'Disable the key'}
          </Button>
        </>
      }
    />
  );
}
