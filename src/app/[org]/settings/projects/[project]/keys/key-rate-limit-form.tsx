'use client';

import { saveKeyRateLimitAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { windowOptions } from '#app/[org]/settings/quotas/limit-fields.ts';
import { useForm } from '#app/forms/form-frame.tsx';
import type { KeyRateLimit } from '#product/projects/client-keys.ts';
import { Button } from '#ui/button.tsx';
import { FieldProblem, fieldIds, Input } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';

const WINDOW_SECONDS = { default: 60, longest: 86_400 } as const;

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
  const { state, isPending, formProps } = useForm(
    saveKeyRateLimitAction.bind(null, orgSlug, { projectSlug, key: keyId }),
    `Rate limit of ${label} saved. It takes effect within a few seconds.`,
  );
  const error = state.errors.count ?? state.error;
  const id = `rate-limit-${keyId}`;
  const ids = fieldIds(id);
  const windowSeconds = rateLimit?.windowSeconds ?? WINDOW_SECONDS.default;
  return (
    <form {...formProps} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-xs">
        Maximum errors <span className="sr-only">for {label}</span>
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
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${ids.error} ${ids.hint}` : ids.hint}
          className="numbers max-w-32"
        />
        <Select
          label={`Rate limit window for ${label}`}
          name="window"
          options={windowOptions(windowSeconds, WINDOW_SECONDS.longest)}
          defaultValue={String(windowSeconds)}
        />
        <Button type="submit" isPending={isPending}>
          {isPending ? 'Saving…' : 'Save limit'}
        </Button>
      </div>
      {error ? <FieldProblem id={ids.error}>{error}</FieldProblem> : null}
      <p id={ids.hint} className="text-text-muted text-xs">
        Applies to error events, messages, crash dumps and security reports sent with this key.
      </p>
    </form>
  );
}
