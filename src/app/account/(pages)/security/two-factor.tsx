'use client';

import { Download, ShieldCheck } from 'lucide-react';
import { useActionState, useEffect, useRef, useState } from 'react';
import { AccountForm, CurrentPassword, UNTOUCHED } from '#app/account/form-state.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { beginTwoFactorAction, confirmTwoFactorAction, type SetUpState } from './security-actions.ts';
import { TwoFactorControls } from './two-factor-controls.tsx';

/** Off: how to set it up. On: how many recovery codes are left, new ones, and switching it off. */
export function TwoFactor({
  recoveryCodesLeft,
  asksPassword,
}: {
  /** null while it is off. */
  recoveryCodesLeft: number | null;
  asksPassword: boolean;
}) {
  // Held here from the beginning: the set-up is gone from the page as soon as it is on.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (recoveryCodesLeft === null) return <TwoFactorSetUp asksPassword={asksPassword} onMade={setCodes} />;
  if (codes) return <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone="success" icon={<ShieldCheck aria-hidden />}>
          On
        </Badge>
        <p className="text-sm text-text-muted">
          You enter a code from your app after your password.{' '}
          {recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.
        </p>
      </div>
      <TwoFactorControls asksPassword={asksPassword} onRenewed={setCodes} />
    </div>
  );
}

/** Shown once. */
function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `Recovery codes for ${location.host}. Each code works once.\n\n${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col items-start gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-sm outline-none">
        Save these recovery codes
      </h3>
      <div className="w-full">
        <Notice tone="warning">
          You will not see them again. If you lose your phone, each code lets you sign in once. Keep them
          where you keep your passwords.
        </Notice>
      </div>
      <ul
        aria-label="Recovery codes"
        className="mono grid grid-cols-2 gap-x-8 gap-y-1.5 rounded-md border bg-surface-sunken px-4 py-3 text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label="Copy the recovery codes" variant="secondary" size="md">
          Copy
        </CopyButton>
        <Button onClick={() => download(text)}>
          <Download aria-hidden className="size-3.5" />
          Download
        </Button>
        <Button variant="primary" onClick={onSaved}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'errata-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}

/** First the password, then the app and a code of it. `onMade` gets the recovery codes, to be shown once it is on. */
function TwoFactorSetUp({
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
    <AccountForm
      state={state}
      action={begin}
      submitLabel="Set up two-factor authentication"
      variant="primary"
    >
      <p className="max-w-[65ch] text-sm text-text-muted">
        Each time you sign in, you also enter a code from an app on your phone. Any authenticator app works:
        Aegis, 1Password, Google Authenticator and many more. Turning it on signs you out everywhere else.
      </p>
      <CurrentPassword id="two-factor-password" isAsked={asksPassword} state={state} />
    </AccountForm>
  );
}

function ScanAndConfirm({ made }: { made: NonNullable<SetUpState['made']> }) {
  const [state, confirm] = useActionState(confirmTwoFactorAction, UNTOUCHED);
  const key = (made.secret.match(/.{1,4}/g) ?? []).join(' ');
  return (
    <form action={confirm} className="flex flex-col gap-5">
      <ol className="flex list-decimal flex-col gap-5 pl-5 text-sm marker:text-text-muted">
        <li>
          <p>Scan this QR code with your app.</p>
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
            No camera? Enter this key in the app instead:
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
            label="Enter the code from the app"
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
        Turn on
      </SubmitButton>
    </form>
  );
}
