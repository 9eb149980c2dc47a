'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { disconnectProgramAction } from './token-actions.ts';

export function DisconnectProgram({ grantId, name }: { grantId: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  function disconnect() {
    startTransition(async () => {
      const problem = await disconnectProgramAction(grantId);
      setOpen(false);
      showToast(problem ? { title: problem, tone: 'danger' } : { title: `Disconnected: ${name}` });
    });
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Disconnect ${name}`}>
          Disconnect
        </Button>
      }
      title={`Disconnect ${name}?`}
      description="It reaches nothing from now on. It can ask you again."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={disconnect}>
            Disconnect program
          </Button>
        </>
      }
    />
  );
}
