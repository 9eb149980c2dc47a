'use client';

import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { CurrentPassword } from '../current-password.tsx';
import { removePasskeyAction, renamePasskeyAction } from './passkey-actions.ts';

export function PasskeyControls({
  passkeyId,
  name,
  asksPassword,
}: {
  passkeyId: string;
  name: string;
  asksPassword: boolean;
}) {
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

  function remove(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const currentPassword = String(new FormData(event.currentTarget).get('currentPassword') ?? '');
    startTransition(async () => {
      const problem = await removePasskeyAction({ passkeyId, currentPassword });
      setError(problem);
      if (problem !== null) return;
      setOpen(null);
      showToast({ title: `Removed: ${name}. You are signed out everywhere else.` });
    });
  }

  const formId = `rename-${passkeyId}`;
  const removeFormId = `remove-${passkeyId}`;
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
        description="It no longer opens your account, and you are signed out everywhere else. Your device may keep it in its list: remove it there as well."
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button type="submit" form={removeFormId} variant="danger" disabled={isPending}>
              Remove passkey
            </Button>
          </>
        }
      >
        <form id={removeFormId} onSubmit={remove}>
          {asksPassword ? (
            <CurrentPassword id={`${removeFormId}-password`} error={error} />
          ) : error ? (
            <Notice tone="danger">{error}</Notice>
          ) : null}
        </form>
      </Dialog>
    </div>
  );
}
