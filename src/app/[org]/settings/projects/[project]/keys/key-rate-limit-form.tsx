'use client';

import { CircleAlert } from 'lucide-react';
import { type FormEvent, startTransition, useActionState, useEffect, useRef } from 'react';
import { windowOptions } from '#app/[org]/settings/quotas/window-words.ts';
import type { KeyRateLimit } from '#product/projects/list-project-keys.ts';
import { Button } from '#ui/button.tsx';
import { fieldIds } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { type KeyRateLimitState, saveKeyRateLimitAction } from './key-actions.ts';

const INITIAL: KeyRateLimitState = { error: null, savedAt: null };
const WINDOW_SECONDS = { default: 60, longest: 86_400 } as const;

/** How many errors a key lets in per window. */
export function KeyRateLimitForm({
  orgSlug,
  projectSlug,
  clientKey,
}: {
  orgSlug: string;
  projectSlug: string;
  clientKey: { id: number; label: string; rateLimit: KeyRateLimit | null };
}) {
  const { id: keyId, label, rateLimit } = clientKey;
  const [state, save, isPending] = useActionState(
    saveKeyRateLimitAction.bind(null, orgSlug, projectSlug, keyId),
    INITIAL,
  );
  useEffect(() => {
    if (state.savedAt !== null) {
      showToast({ title: `Rate limit of ${label} saved. It applies within a few seconds.` });
    }
  }, [state.savedAt, label]);

  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  function submit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }

  const id = `rate-limit-${keyId}`;
  const ids = fieldIds(id);
  const windowSeconds = rateLimit?.windowSeconds ?? WINDOW_SECONDS.default;
  return (
    <form ref={form} action={save} onSubmit={submit} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-xs">
        Errors at most <span className="sr-only">with {label}</span>
      </label>
      <div className="flex flex-wrap gap-2">
        <Input
          id={id}
          name="count"
          defaultValue={rateLimit?.count ?? ''}
          placeholder="no limit"
          inputMode="numeric"
          autoComplete="off"
          maxLength={16}
          isCompact
          aria-invalid={state.error ? true : undefined}
          aria-describedby={state.error ? `${ids.error} ${ids.hint}` : ids.hint}
          className="numbers max-w-32"
        />
        <Select
          label={`Window of the rate limit of ${label}`}
          name="window"
          options={windowOptions(windowSeconds, WINDOW_SECONDS.longest)}
          defaultValue={String(windowSeconds)}
        />
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Saving…' : 'Save limit'}
        </Button>
      </div>
      {state.error ? (
        <p id={ids.error} role="alert" className="flex items-start gap-1.5 text-danger text-xs">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span>{state.error}</span>
        </p>
      ) : null}
      <p id={ids.hint} className="text-text-muted text-xs">
        Counts error events, messages, crash dumps and security reports of this key.
      </p>
    </form>
  );
}
