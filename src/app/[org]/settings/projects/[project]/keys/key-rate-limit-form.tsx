'use client';

import { FieldProblem } from '#app/[org]/settings/field-problem.tsx';
import { windowOptions } from '#app/[org]/settings/quotas/window-words.ts';
import { type SettingsState, useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { KeyRateLimit } from '#product/projects/list-project-keys.ts';
import { Button } from '#ui/button.tsx';
import { fieldIds } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { Select } from '#ui/select.tsx';
import { saveKeyRateLimitAction } from './key-actions.ts';

const INITIAL: SettingsState = { error: null, savedAt: null };
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
  const { state, isPending, formProps } = useSettingsForm(
    saveKeyRateLimitAction.bind(null, orgSlug, projectSlug, keyId),
    INITIAL,
    `Rate limit of ${label} saved. It applies within a few seconds.`,
  );
  const id = `rate-limit-${keyId}`;
  const ids = fieldIds(id);
  const windowSeconds = rateLimit?.windowSeconds ?? WINDOW_SECONDS.default;
  return (
    <form {...formProps} className="flex flex-col gap-1.5">
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
      {state.error ? <FieldProblem id={ids.error}>{state.error}</FieldProblem> : null}
      <p id={ids.hint} className="text-text-muted text-xs">
        Counts error events, messages, crash dumps and security reports of this key.
      </p>
    </form>
  );
}
