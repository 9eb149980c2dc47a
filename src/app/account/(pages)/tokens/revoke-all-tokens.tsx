'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { revokeAllTokensAction } from './token-actions.ts';

export function RevokeAllTokens({ count }: { count: number }) {
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  function revoke() {
    startTransition(async () => {
      const revoked = await revokeAllTokensAction();
      setOpen(false);
      showToast({ title: revoked === 1 ? '1 token revoked' : `${revoked} tokens revoked` });
    });
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost">
          Revoke all
        </Button>
      }
      title={`Revoke all ${count} tokens?`}
      description="This revokes your personal tokens in every organization, and anything that uses them stops working. Connected apps are not affected. This cannot be undone."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={revoke}>
            Revoke {count} tokens
          </Button>
        </>
      }
    />
  );
}
