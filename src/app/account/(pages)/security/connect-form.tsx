'use client';

import { useActionState } from 'react';
import { AccountForm, CurrentPassword, UNTOUCHED } from '#app/account/form-state.tsx';
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
    <AccountForm state={state} action={action} submitLabel={isConnected ? 'Disconnect' : `Connect ${name}`}>
      <CurrentPassword id="sso-password" isAsked={hasPassword} state={state} />
    </AccountForm>
  );
}
