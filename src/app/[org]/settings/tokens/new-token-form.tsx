'use client';

import { useActionState } from 'react';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { createTokenAction, type NewTokenState } from './token-actions.ts';

const INITIAL: NewTokenState = { name: '', error: null, token: null };

export function NewTokenForm({ orgSlug }: { orgSlug: string }) {
  const [state, create] = useActionState(createTokenAction.bind(null, orgSlug), INITIAL);
  return (
    <div className="flex flex-col gap-4">
      <form action={create} className="flex flex-wrap items-start gap-3">
        <TextField
          key={state.token?.text ?? state.name}
          id="token-name"
          name="name"
          label="Name of a new token"
          hint="For example the pipeline that uses it."
          placeholder="Release build of the web app"
          defaultValue={state.name}
          error={state.error}
          maxLength={255}
          autoComplete="off"
          className="min-w-0 flex-1 basis-64"
          required
        />
        <SubmitButton pendingLabel="Creating…" className="h-9 sm:mt-[26px]">
          Create token
        </SubmitButton>
      </form>
      {state.token ? (
        <Notice
          tone="success"
          title={
            <>
              Copy the token <bdi>{state.token.name}</bdi> now
            </>
          }
        >
          <p>
            It is not shown again. Keep it like a password, for example as SENTRY_AUTH_TOKEN of the build.
          </p>
          <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
            <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="organization-token">
              {state.token.text}
            </code>
            <CopyButton text={state.token.text} label="Copy the token" />
          </p>
        </Notice>
      ) : null}
    </div>
  );
}
