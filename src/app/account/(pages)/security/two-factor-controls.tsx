'use client';

import { useActionState, useEffect, useState } from 'react';
import { AccountForm, CurrentPassword, errorOf, UNTOUCHED } from '#app/account/form-state.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { disableTwoFactorAction, renewCodesAction } from './security-actions.ts';

type ControlsProps = {
  asksPassword: boolean;
  onRenewed: (recoveryCodes: readonly string[]) => void;
};
type Open = 'renew' | 'disable' | null;

/** New recovery codes, and switching it off; each asks for proof below its button. */
export function TwoFactorControls({ asksPassword, onRenewed }: ControlsProps) {
  const [open, setOpen] = useState<Open>(null);
  const toggle = (which: Exclude<Open, null>) => setOpen(open === which ? null : which);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={open === 'renew'} onClick={() => toggle('renew')}>
          New recovery codes
        </Button>
        <Button aria-expanded={open === 'disable'} onClick={() => toggle('disable')}>
          Turn off
        </Button>
      </div>
      {open === 'renew' ? <RenewForm asksPassword={asksPassword} onRenewed={onRenewed} /> : null}
      {open === 'disable' ? <DisableForm asksPassword={asksPassword} /> : null}
    </>
  );
}

function RenewForm({ asksPassword, onRenewed }: ControlsProps) {
  const [state, action] = useActionState(renewCodesAction, { ...UNTOUCHED, recoveryCodes: null });
  useEffect(() => {
    if (state.recoveryCodes) onRenewed(state.recoveryCodes);
  }, [state.recoveryCodes, onRenewed]);
  return (
    <AccountForm
      state={state}
      action={action}
      submitLabel="Generate new codes"
      variant="primary"
      className="border-t pt-4"
    >
      <p className="text-sm text-text-muted">Your previous codes stop working.</p>
      <CurrentPassword id="renew-password" isAsked={asksPassword} state={state} />
    </AccountForm>
  );
}

function DisableForm({ asksPassword }: { asksPassword: boolean }) {
  const [state, action] = useActionState(disableTwoFactorAction, UNTOUCHED);
  return (
    <AccountForm
      state={state}
      action={action}
      submitLabel="Turn off two-factor authentication"
      pendingLabel="Turning off…"
      variant="danger"
      className="border-t pt-4"
    >
      <p className="text-sm text-text-muted">
        You will no longer need a code to sign in. This signs you out everywhere else.
      </p>
      <CurrentPassword id="disable-password" isAsked={asksPassword} state={state} />
      <TextField
        id="disable-code"
        name="code"
        label="Authenticator code or recovery code"
        error={errorOf(state, 'code')}
        autoComplete="one-time-code"
        className="w-full max-w-96"
        required
      />
    </AccountForm>
  );
}
