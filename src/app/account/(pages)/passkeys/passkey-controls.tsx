'use client';

import { type FormEvent, useState, useSyncExternalStore, useTransition } from 'react';
import { createPasskey, knowsPasskeys } from '#app/(account)/webauthn.ts';
import { CurrentPassword, errorOf, type FieldError, UNTOUCHED } from '#app/account/form-state.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import {
  beginPasskeyAction,
  finishPasskeyAction,
  removePasskeyAction,
  renamePasskeyAction,
} from './passkey-actions.ts';

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
            <Button type="submit" form={formId} variant="primary" isPending={isPending}>
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
        description="You can no longer sign in with it, and you are signed out everywhere else. Your device may still list it; remove it there as well."
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button type="submit" form={removeFormId} variant="danger" isPending={isPending}>
              Remove passkey
            </Button>
          </>
        }
      >
        <form id={removeFormId} onSubmit={remove}>
          <CurrentPassword
            id={`${removeFormId}-password`}
            isAsked={asksPassword}
            state={{ error, field: 'currentPassword' }}
          />
          {error && !asksPassword ? <Notice tone="danger">{error}</Notice> : null}
        </form>
      </Dialog>
    </div>
  );
}

/** Asks for a name and the password, then for the passkey itself. */
export function AddPasskey({ asksPassword }: { asksPassword: boolean }) {
  const [problem, setProblem] = useState<FieldError>(UNTOUCHED);
  const [isPending, startTransition] = useTransition();
  const isKnown = useSyncExternalStore(neverChanges, knowsPasskeys, () => true);
  if (!isKnown) {
    return <Notice tone="warning">This browser does not support passkeys. Use a newer one.</Notice>;
  }

  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    startTransition(async () => {
      const failed = await addPasskey(
        String(fields.get('name') ?? ''),
        String(fields.get('currentPassword') ?? ''),
      );
      setProblem(failed);
      if (failed.error !== null) return;
      form.reset();
      showToast({ title: 'Passkey added. You are signed out everywhere else.' });
    });
  }

  return (
    <form onSubmit={add} className="flex flex-col items-start gap-4">
      <TextField
        id="passkey-name"
        name="name"
        label="Name"
        hint="Helps you recognize it, for example the name of this computer."
        error={errorOf(problem, 'name')}
        maxLength={60}
        autoComplete="off"
        className="w-full max-w-96"
        required
      />
      <CurrentPassword id="passkey-password" isAsked={asksPassword} state={problem} />
      {problem.error && problem.field === null ? <Notice tone="danger">{problem.error}</Notice> : null}
      <Button type="submit" variant="primary" isPending={isPending}>
        {isPending ? 'Waiting for your device…' : 'Add passkey'}
      </Button>
    </form>
  );
}

/** What is wrong; nothing once the passkey is saved. */
async function addPasskey(name: string, currentPassword: string): Promise<FieldError> {
  const begun = await beginPasskeyAction(currentPassword);
  if (begun.kind === 'refused') return begun;
  try {
    const response = await createPasskey(begun.options);
    if (!response) return { error: 'No passkey was created. Try again when you are ready.', field: null };
    return { error: await finishPasskeyAction({ name, response }), field: null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), field: null };
  }
}

const neverChanges = () => () => {};
