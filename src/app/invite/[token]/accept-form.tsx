'use client';

import { useActionState } from 'react';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { acceptAction } from './invitation-actions.ts';

export function AcceptForm({ token }: { token: string }) {
  const [error, accept] = useActionState(acceptAction.bind(null, token), null);
  return (
    <form action={accept} className="flex flex-col gap-4">
      {error ? <Notice tone="danger">{error}</Notice> : null}
      <SubmitButton pendingLabel="Joining…" size="lg" className="w-full">
        Join
      </SubmitButton>
    </form>
  );
}
