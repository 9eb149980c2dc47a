'use client';

import { createTokenAction } from '#app/[org]/settings/organization-actions.ts';
import { TOKEN_FIELDS } from '#app/[org]/settings/organization-fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { useForm } from '#app/forms/form-frame.tsx';
import { TokenExpiryField } from '#app/token-expiry-field.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';

export function NewTokenForm({
  orgSlug,
  expiry,
}: {
  orgSlug: string;
  expiry: { daysDefault: number; daysMax: number };
}) {
  const { state, formProps } = useForm(createTokenAction.bind(null, orgSlug, null), null);
  return (
    <div className="flex flex-col gap-4">
      <form {...formProps} className="flex flex-wrap items-start gap-3">
        <FieldInputs fields={{ name: TOKEN_FIELDS.name }} state={state} className="min-w-0 flex-1 basis-64" />
        <div className="w-full sm:w-40">
          <TokenExpiryField error={state.errors.days ?? null} {...expiry} />
        </div>
        <SubmitButton pendingLabel="Creating…" className="h-9 sm:mt-[26px]">
          Create token
        </SubmitButton>
      </form>
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
      {state.result ? (
        <Notice
          tone="success"
          title={
            <>
              Copy the token <bdi>{state.result.name}</bdi> now
            </>
          }
        >
          <p>You will not see it again. Keep it secret, for example as SENTRY_AUTH_TOKEN in your build.</p>
          <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
            <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="organization-token">
              {state.result.token}
            </code>
            <CopyButton text={state.result.token} label="Copy the token" />
          </p>
        </Notice>
      ) : null}
    </div>
  );
}
