'use client';

import { useActionState, useEffect } from 'react';
import { UNTOUCHED } from '#app/account/form-state.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { CurrentPassword } from '../current-password.tsx';
import { beginTwoFactorAction, confirmTwoFactorAction, type SetUpState } from './security-actions.ts';

/** First the password, then the app and a code of it. `onMade` gets the recovery codes, to be shown once it is on. */
export function TwoFactorSetUp({
  asksPassword,
  onMade,
}: {
  asksPassword: boolean;
  onMade: (recoveryCodes: readonly string[]) => void;
}) {
  const [state, begin] = useActionState(beginTwoFactorAction, { ...UNTOUCHED, made: null });
  useEffect(() => {
    if (state.made) onMade(state.made.recoveryCodes);
  }, [state.made, onMade]);
  if (state.made) return <ScanAndConfirm made={state.made} />;
  return (
    <form action={begin} className="flex flex-col items-start gap-4">
      <p className="max-w-[65ch] text-sm text-text-muted">
        Besides the password, a code of an app on your phone is asked at every sign-in. Any authenticator app
        works: Aegis, 1Password, Google Authenticator and many more. Switching it on signs you out everywhere
        else.
      </p>
      {asksPassword ? <CurrentPassword id="two-factor-password" error={fieldError(state)} /> : null}
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <SubmitButton pendingLabel="One moment…">Set up two-factor sign-in</SubmitButton>
    </form>
  );
}

const fieldError = (state: SetUpState) => (state.field === 'currentPassword' ? state.error : null);

function ScanAndConfirm({ made }: { made: NonNullable<SetUpState['made']> }) {
  const [state, confirm] = useActionState(confirmTwoFactorAction, UNTOUCHED);
  const key = (made.secret.match(/.{1,4}/g) ?? []).join(' ');
  return (
    <form action={confirm} className="flex flex-col gap-5">
      <ol className="flex list-decimal flex-col gap-5 pl-5 text-sm marker:text-text-muted">
        <li>
          <p>Scan this with your app.</p>
          <svg
            role="img"
            aria-label="QR code for your authenticator app"
            viewBox={`0 0 ${made.qr.size} ${made.qr.size}`}
            shapeRendering="crispEdges"
            className="mt-3 size-48 rounded-md bg-white"
          >
            <path d={made.qr.path} fill="black" />
          </svg>
          <p className="mt-3 text-text-muted text-xs">
            No camera? Type this key into the app instead:
            <span className="mt-1 flex items-center gap-1">
              <code className="mono break-anything text-text text-xs">{key}</code>
              <CopyButton text={made.secret} label="Copy the key" />
            </span>
          </p>
        </li>
        <li>
          <TextField
            id="two-factor-code"
            name="code"
            label="Write the code that the app shows"
            error={state.error}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="123 456"
            className="max-w-72"
            autoFocus
            required
          />
        </li>
      </ol>
      <SubmitButton pendingLabel="Checking…" className="self-start">
        Switch it on
      </SubmitButton>
    </form>
  );
}
