'use client';

import { useActionState, useEffect, useState } from 'react';
import { type SecondStepState, secondStepAction } from '#app/login/actions.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';

const INITIAL: SecondStepState = { error: null, isOver: false };

export function SecondStepForm({ next }: { next: string }) {
  const [state, action] = useActionState(secondStepAction, INITIAL);
  const [kind, setKind] = useState<'app' | 'recovery'>('app');
  useEffect(() => {
    if (state.error) document.getElementById('code')?.focus();
  }, [state]);
  if (state.isOver) {
    const login = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="danger">{state.error}</Notice>
        <ButtonLink href={login} variant="primary" size="lg">
          Sign in again
        </ButtonLink>
      </div>
    );
  }
  const isApp = kind === 'app';
  return (
    <form action={action} className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="kind" value={kind} />
      <TextField
        key={kind}
        id="code"
        name="code"
        label={isApp ? 'Authenticator code' : 'Recovery code'}
        hint={isApp ? undefined : 'One of the ten codes that you saved. Each code works once.'}
        error={state.error}
        inputMode={isApp ? 'numeric' : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={isApp ? '123 456' : 'xxxxx-xxxxx'}
        autoFocus
        required
      />
      <div className="flex items-center gap-2.5 text-sm">
        <Checkbox id="trusts-browser" name="trustsBrowser" />
        <label htmlFor="trusts-browser">Do not ask again in this browser for 30 days</label>
      </div>
      <SubmitButton pendingLabel="Checking…" size="lg" className="w-full">
        Sign in
      </SubmitButton>
      <Button variant="ghost" onClick={() => setKind(isApp ? 'recovery' : 'app')}>
        {isApp ? 'Use a recovery code' : 'Use an authenticator app'}
      </Button>
    </form>
  );
}
