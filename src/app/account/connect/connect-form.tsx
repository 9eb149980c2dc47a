'use client';

import { useActionState, useEffect } from 'react';
import { OrganizationField } from '#app/account/organization-field.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { type ConnectState, connectAction } from './connect-action.ts';

const INITIAL: ConnectState = { error: null, redirectTo: null };

export function ConnectForm({
  query,
  returnsTo,
  organizations,
  canWrite,
}: {
  /** The request of the app: the query of the URL. */
  query: string;
  /** The redirect target, as people read it. */
  returnsTo: string;
  organizations: readonly { slug: string; name: string }[];
  canWrite: boolean;
}) {
  const [state, action] = useActionState(connectAction.bind(null, query), INITIAL);
  const { redirectTo } = state;
  useEffect(() => {
    // It may be of a program's own scheme, which only a browser knows.
    if (redirectTo !== null) window.location.assign(redirectTo);
  }, [redirectTo]);
  if (redirectTo !== null) {
    return (
      <Notice tone="success" title="Connected. Go back to the app.">
        <p>
          If nothing happens,{' '}
          <a href={redirectTo} className="text-accent underline">
            continue here
          </a>
          .
        </p>
      </Notice>
    );
  }
  return (
    <form action={action} className="flex flex-col gap-5">
      <OrganizationField id="connect-organization" organizations={organizations} />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 font-medium text-sm">Access</legend>
        <Choice value="read" isDefault title="Read">
          View the issues, events, projects and releases that you can see.
        </Choice>
        {canWrite ? (
          <Choice value="write" title="Read and triage">
            Also resolve, archive and assign issues, and comment on your behalf, if your role allows it.
          </Choice>
        ) : null}
      </fieldset>
      <p className="text-sm text-text-muted">
        Access is granted to <bdi className="break-anything font-medium text-text">{returnsTo}</bdi>. You can
        disconnect it at any time under Tokens.
      </p>
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <SubmitButton pendingLabel="Connecting…" size="lg">
          Connect
        </SubmitButton>
        <Button type="submit" name="decision" value="deny" size="lg">
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Choice({
  value,
  title,
  isDefault = false,
  children,
}: {
  value: string;
  title: string;
  isDefault?: boolean;
  children: string;
}) {
  const id = `connect-${value}`;
  return (
    <div className="flex items-start gap-2.5 text-sm">
      <input
        type="radio"
        id={id}
        name="rights"
        value={value}
        defaultChecked={isDefault}
        className="mt-1 accent-accent-solid"
      />
      <label htmlFor={id}>
        <span className="font-medium">{title}</span>
        <span className="block text-text-muted">{children}</span>
      </label>
    </div>
  );
}
