'use client';

import { useActionState } from 'react';
import { CurrentPassword, UNTOUCHED } from '#app/account/form-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { connectAction, disconnectAction } from './security-actions.ts';

export function ConnectForm({
  name,
  isConnected,
  hasPassword,
}: {
  name: string;
  isConnected: boolean;
  hasPassword: boolean;
}) {
  const [state, action] = useActionState(isConnected ? disconnectAction : connectAction, UNTOUCHED);
  return (
    <form action={action} className="flex flex-col items-start gap-4">
      {hasPassword ? (
        <CurrentPassword id="sso-password" error={state.field === 'currentPassword' ? state.error : null} />
      ) : null}
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <SubmitButton pendingLabel="One moment…" variant="secondary">
        {isConnected ? 'Disconnect' : `Connect ${name}`}
      </SubmitButton>
    </form>
  );
}
