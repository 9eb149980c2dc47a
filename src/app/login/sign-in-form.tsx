'use client';

import { KeyRound } from 'lucide-react';
import { useActionState, useEffect, useRef, useState, useSyncExternalStore, useTransition } from 'react';
import { choosePasskey, knowsPasskeys } from '#app/(account)/webauthn.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import {
  beginPasskeySignInAction,
  finishPasskeySignInAction,
  type SignInState,
  signInAction,
} from './actions.ts';

const INITIAL: SignInState = { email: '', error: null };

export function SignInForm({ next }: { next: string }) {
  const [state, action] = useActionState(signInAction, INITIAL);
  useEffect(() => {
    if (state.error) document.getElementById('password')?.focus();
  }, [state]);

  return (
    <form action={action} className="flex flex-col gap-4">
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
      <input type="hidden" name="next" value={next} />
      <TextField
        key={state.email}
        id="email"
        name="email"
        type="email"
        label="Email"
        autoComplete="username webauthn"
        defaultValue={state.email}
        autoFocus
        required
      />
      <TextField
        id="password"
        name="password"
        type="password"
        label="Password"
        autoComplete="current-password"
        required
      />
      <SubmitButton pendingLabel="Signing in…" size="lg" className="mt-1 w-full">
        Sign in
      </SubmitButton>
    </form>
  );
}

/** A button, and the browser's own offer in the field of the email address. Nothing where there are no passkeys. */
export function PasskeySignIn({ next }: { next: string }) {
  const isKnown = useSyncExternalStore(neverChanges, knowsPasskeys, () => false);
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  // One question to the device at a time: the button takes the quiet offer's place.
  const quiet = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!isKnown) return;
    const offer = new AbortController();
    quiet.current = offer;
    void offerQuietly(next, offer.signal);
    return () => offer.abort();
  }, [isKnown, next]);

  if (!isKnown) return null;

  function signIn() {
    quiet.current?.abort();
    startTransition(async () => setError(await signInWithPasskey(next)));
  }

  return (
    <div className="flex flex-col gap-3">
      {error ? <Notice tone="danger">{error}</Notice> : null}
      <Button size="lg" isPending={isPending} onClick={signIn}>
        <KeyRound aria-hidden className="size-4" />
        {isPending ? 'Waiting for your device…' : 'Sign in with a passkey'}
      </Button>
    </div>
  );
}

async function offerQuietly(next: string, signal: AbortSignal): Promise<void> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    const options = await beginPasskeySignInAction();
    if (options === null || signal.aborted) return;
    const response = await choosePasskey(options, { quietly: true, signal });
    if (response) await finishPasskeySignInAction({ response, next });
  } catch {
    // Nobody asked for it: the button says what is wrong.
  }
}

/** What went wrong; null when the person changed their mind. A passkey that fits leaves the page. */
async function signInWithPasskey(next: string): Promise<string | null> {
  const options = await beginPasskeySignInAction();
  if (options === null)
    return 'Passkeys are unavailable right now. Wait a minute, or sign in with your password.';
  try {
    const response = await choosePasskey(options);
    return response ? await finishPasskeySignInAction({ response, next }) : null;
  } catch (error) {
    // The framework leaves the page by throwing; that must go on.
    if (error instanceof Error && !('digest' in error)) return error.message;
    throw error;
  }
}

const neverChanges = () => () => {};
