'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { showToast } from '#ui/toast.tsx';
import { revokeTokenAction } from './token-actions.ts';

/** Ends a token, after a question. */
export function RevokeToken({ orgSlug, token }: { orgSlug: string; token: { id: number; name: string } }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  const revoke = () =>
    startTransition(async () => {
      const problem = await revokeTokenAction(orgSlug, token.id);
      setIsOpen(false);
      showToast(problem ? { title: problem, tone: 'danger' } : { title: `${token.name} is revoked` });
    });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button size="sm" aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      }
      title={`Revoke ${token.name}?`}
      description="Builds that use it are refused from now on. This cannot be undone."
      footer={
        <>
          <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={revoke}>
            Revoke
          </Button>
        </>
      }
    />
  );
}
