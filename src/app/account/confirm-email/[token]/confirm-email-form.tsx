'use client';

import { useActionState } from 'react';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { confirmEmailAction } from './confirm-email-action.ts';

export function ConfirmEmailForm({ token }: { token: string }) {
  const [error, action] = useActionState(confirmEmailAction, null);
  return (
    <form action={action} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      {error ? <Notice tone="danger">{error}</Notice> : null}
      <SubmitButton pendingLabel="Changing the address…" size="lg" className="w-full">
        Use this address
      </SubmitButton>
    </form>
  );
}
