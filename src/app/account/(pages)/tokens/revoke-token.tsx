'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { revokeTokenAction } from './token-actions.ts';

export function RevokeToken({ tokenId, name }: { tokenId: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  function revoke() {
    startTransition(async () => {
      const problem = await revokeTokenAction(tokenId);
      setOpen(false);
      showToast(problem ? { title: problem, tone: 'danger' } : { title: `Revoked: ${name}` });
    });
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke ${name}?`}
      description="Whatever uses it gets 401 from now on. This cannot be undone."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={revoke}>
            Revoke token
          </Button>
        </>
      }
    />
  );
}
