'use client';

import { type FormEvent, useState, useSyncExternalStore, useTransition } from 'react';
import { createPasskey, knowsPasskeys } from '#app/(account)/webauthn.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { CurrentPassword } from '../current-password.tsx';
import { beginPasskeyAction, finishPasskeyAction } from './passkey-actions.ts';

type Problem = { text: string; field: string | null };

/** Name and password, then the browser asks for finger, face or key. */
export function AddPasskey({ asksPassword }: { asksPassword: boolean }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPending, startTransition] = useTransition();
  const isKnown = useSyncExternalStore(neverChanges, knowsPasskeys, () => true);
  if (!isKnown) {
    return <Notice tone="warning">This browser knows no passkeys: use a newer one.</Notice>;
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
      if (failed !== null) return;
      form.reset();
      showToast({ title: 'Passkey added. You are signed out everywhere else.' });
    });
  }

  const errorOf = (field: string | null) => (problem?.field === field ? problem.text : null);
  return (
    <form onSubmit={add} className="flex flex-col items-start gap-4">
      <TextField
        id="passkey-name"
        name="name"
        label="Name"
        hint="So that you know it again, for example the name of this computer."
        error={errorOf('name')}
        maxLength={60}
        autoComplete="off"
        className="w-full max-w-96"
        required
      />
      {asksPassword ? <CurrentPassword id="passkey-password" error={errorOf('currentPassword')} /> : null}
      {problem && problem.field === null ? <Notice tone="danger">{problem.text}</Notice> : null}
      <Button type="submit" variant="primary" disabled={isPending}>
        {isPending ? 'Waiting for your device…' : 'Add passkey'}
      </Button>
    </form>
  );
}

/** null when it is there. */
async function addPasskey(name: string, currentPassword: string): Promise<Problem | null> {
  const begun = await beginPasskeyAction(currentPassword);
  if (begun.kind === 'refused') return { text: begun.error, field: begun.field };
  try {
    const response = await createPasskey(begun.options);
    if (!response) return { text: 'No passkey was made: try again when you are ready.', field: null };
    const error = await finishPasskeyAction({ name, response });
    return error === null ? null : { text: error, field: null };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), field: null };
  }
}

const neverChanges = () => () => {};
