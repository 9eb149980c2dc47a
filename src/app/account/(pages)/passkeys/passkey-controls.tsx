'use client';

import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { showToast } from '#ui/toast.tsx';
import { removePasskeyAction, renamePasskeyAction } from './passkey-actions.ts';

export function PasskeyControls({ passkeyId, name }: { passkeyId: string; name: string }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const show = (which: 'rename' | 'remove') => (isOpen: boolean) => {
    setOpen(isOpen ? which : null);
    setError(null);
  };

  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const next = String(new FormData(event.currentTarget).get('name') ?? '');
    startTransition(async () => {
      const problem = await renamePasskeyAction({ passkeyId, name: next });
      setError(problem);
      if (problem === null) setOpen(null);
    });
  }

  function remove() {
    startTransition(async () => {
      const problem = await removePasskeyAction(passkeyId);
      setOpen(null);
      showToast(problem ? { title: problem, tone: 'danger' } : { title: `Removed: ${name}` });
    });
  }

  const formId = `rename-${passkeyId}`;
  return (
    <div className="flex gap-2">
      <Dialog
        open={open === 'rename'}
        onOpenChange={show('rename')}
        trigger={
          <Button size="sm" aria-label={`Rename ${name}`}>
            Rename
          </Button>
        }
        title="Rename passkey"
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button type="submit" form={formId} variant="primary" disabled={isPending}>
              Rename
            </Button>
          </>
        }
      >
        <form id={formId} onSubmit={rename}>
          <TextField
            id={`${formId}-name`}
            name="name"
            label="Name"
            defaultValue={name}
            error={error}
            maxLength={60}
            autoComplete="off"
            autoFocus
            required
          />
        </form>
      </Dialog>
      <Dialog
        open={open === 'remove'}
        onOpenChange={show('remove')}
        trigger={
          <Button size="sm" variant="ghost" aria-label={`Remove ${name}`}>
            Remove
          </Button>
        }
        title={`Remove ${name}?`}
        description="It opens your account no longer. Your device may keep it in its list: remove it there as well."
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button variant="danger" disabled={isPending} onClick={remove}>
              Remove passkey
            </Button>
          </>
        }
      />
    </div>
  );
}
