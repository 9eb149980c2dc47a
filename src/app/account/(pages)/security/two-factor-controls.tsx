'use client';

import { useActionState, useEffect, useState } from 'react';
import { CurrentPassword, UNTOUCHED } from '#app/account/form-state.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { disableTwoFactorAction, renewCodesAction } from './security-actions.ts';

type Open = 'renew' | 'disable' | null;

/** New recovery codes, and switching it off; each asks for proof below its button. */
export function TwoFactorControls({
  asksPassword,
  onRenewed,
}: {
  asksPassword: boolean;
  onRenewed: (recoveryCodes: readonly string[]) => void;
}) {
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

function RenewForm({
  asksPassword,
  onRenewed,
}: {
  asksPassword: boolean;
  onRenewed: (recoveryCodes: readonly string[]) => void;
}) {
  const [state, action] = useActionState(renewCodesAction, { ...UNTOUCHED, recoveryCodes: null });
  useEffect(() => {
    if (state.recoveryCodes) onRenewed(state.recoveryCodes);
  }, [state.recoveryCodes, onRenewed]);
  return (
    <form action={action} className="flex flex-col items-start gap-4 border-t pt-4">
      <p className="text-sm text-text-muted">Your previous codes stop working.</p>
      {asksPassword ? (
        <CurrentPassword id="renew-password" error={state.field === 'currentPassword' ? state.error : null} />
      ) : null}
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <SubmitButton pendingLabel="One moment…">Generate new codes</SubmitButton>
    </form>
  );
}

function DisableForm({ asksPassword }: { asksPassword: boolean }) {
  const [state, action] = useActionState(disableTwoFactorAction, UNTOUCHED);
  return (
    <form action={action} className="flex flex-col items-start gap-4 border-t pt-4">
      <p className="text-sm text-text-muted">
        You will no longer need a code to sign in. This signs you out everywhere else.
      </p>
      {asksPassword ? (
        <CurrentPassword
          id="disable-password"
          error={state.field === 'currentPassword' ? state.error : null}
        />
      ) : null}
      <TextField
        id="disable-code"
        name="code"
        label="Authenticator code or recovery code"
        error={state.field === 'code' ? state.error : null}
        autoComplete="one-time-code"
        className="w-full max-w-96"
        required
      />
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <SubmitButton pendingLabel="Turning off…" variant="danger">
        Turn off two-factor authentication
      </SubmitButton>
    </form>
  );
}
