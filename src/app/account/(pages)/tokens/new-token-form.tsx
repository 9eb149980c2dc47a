'use client';

import { useActionState } from 'react';
import { CurrentPassword, errorOf, UNTOUCHED } from '#app/account/form-state.tsx';
import { OrganizationField } from '#app/account/organization-field.tsx';
import { TokenExpiryField } from '#app/token-expiry-field.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { createTokenAction, type NewTokenState } from './token-actions.ts';

type OfferedScope = { scope: string; words: string };

/** Enough to read everything that the API tells about issues. */
const FIRST_SCOPES = ['org:read', 'project:read', 'event:read'];

export function NewTokenForm({
  organizations,
  scopes,
  asksPassword,
  expiry,
}: {
  organizations: readonly { slug: string; name: string }[];
  scopes: readonly OfferedScope[];
  asksPassword: boolean;
  expiry: { daysDefault: number; daysMax: number };
}) {
  const initial: NewTokenState = { ...UNTOUCHED, name: '', scopes: FIRST_SCOPES, token: null };
  const [state, action] = useActionState(createTokenAction, initial);
  return (
    <form action={action} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          key={state.token?.text ?? state.name}
          id="token-name"
          name="name"
          label="Name"
          hint="What uses it, so that you know what stops working when you revoke it."
          defaultValue={state.name}
          error={errorOf(state, 'name')}
          maxLength={100}
          autoComplete="off"
          required
        />
        <TokenExpiryField error={errorOf(state, 'days')} {...expiry} />
        <OrganizationField id="token-organization" organizations={organizations} />
      </div>
      <Scopes
        key={state.scopes.join()}
        scopes={scopes}
        chosen={state.scopes}
        error={errorOf(state, 'scopes')}
      />
      <CurrentPassword id="token-password" isAsked={asksPassword} state={state} />
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <SubmitButton pendingLabel="Creating…" className="self-start">
        Create token
      </SubmitButton>
      {state.token ? (
        <Notice tone="success" title={`Copy the token “${state.token.name}” now`}>
          <p>You will not see it again. Treat it like a password.</p>
          <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
            <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="personal-token">
              {state.token.text}
            </code>
            <CopyButton text={state.token.text} label="Copy the token" />
          </p>
          <p className="mt-2">Try it in a terminal:</p>
          <p className="mt-1 flex items-start gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
            <code className="mono break-anything min-w-0 flex-1 py-1 text-xs" data-testid="token-command">
              {state.token.command}
            </code>
            <CopyButton text={state.token.command} label="Copy the command" />
          </p>
        </Notice>
      ) : null}
    </form>
  );
}

/** One column for each noun; `admin` includes `write`, and `write` includes `read`. */
function Scopes({
  scopes,
  chosen,
  error,
}: {
  scopes: readonly OfferedScope[];
  chosen: readonly string[];
  error: string | null;
}) {
  const nouns = [...new Set(scopes.map(({ scope }) => scope.split(':')[0] ?? ''))];
  return (
    <fieldset className="min-w-0" aria-describedby={error ? 'scopes-error' : 'scopes-hint'}>
      <legend className="font-medium text-sm">Scopes</legend>
      <p id="scopes-hint" className="mt-1 text-text-muted text-xs">
        “admin” includes “write”, and “write” includes “read”. What your role does not include has no effect.
      </p>
      {error ? (
        <p id="scopes-error" role="alert" className="mt-1 text-danger text-xs">
          {error}
        </p>
      ) : null}
      <div className="mt-3 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {nouns.map((noun) => (
          <div key={noun} className="flex flex-col gap-1.5">
            {scopes
              .filter(({ scope }) => scope.startsWith(`${noun}:`))
              .map(({ scope, words }) => (
                <div key={scope} className="flex items-start gap-2 text-sm">
                  <Checkbox
                    id={`scope-${scope}`}
                    name="scopes"
                    value={scope}
                    defaultChecked={chosen.includes(scope)}
                  />
                  <label htmlFor={`scope-${scope}`} className="min-w-0 text-xs">
                    <span className="mono">{scope}</span>{' '}
                    <span className="block text-text-muted">{words}</span>
                  </label>
                </div>
              ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
