'use client';

import { type ReactNode, useActionState, useEffect, useState } from 'react';
import { PlatformPicker } from '#app/[org]/projects/platform-picker.tsx';
import { suggestSlug } from '#lib/slug.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { setUpAction } from './set-up-action.ts';
import type { SetUpField, SetUpState } from './set-up-state.ts';

const INITIAL: SetUpState = { field: null, error: null };

export function SetUpForm({ token, passwordCharsMin }: { token: string; passwordCharsMin: number }) {
  const [state, action] = useActionState(setUpAction, INITIAL);
  const [account, setAccount] = useState({ name: '', email: '', password: '' });
  const [organizationName, setOrganizationName] = useState('');
  const [organizationSlug, setOrganizationSlug] = useState<string | null>(null);
  const [projectSlug, setProjectSlug] = useState('');
  const [platform, setPlatform] = useState('javascript');
  const errorOf = (field: SetUpField) => (state.field === field ? state.error : null);

  useEffect(() => {
    if (state.field) document.getElementById(state.field)?.focus();
  }, [state]);

  return (
    <form
      action={action}
      // The framework resets the form after each try; what was chosen must stay.
      onReset={(event) => event.preventDefault()}
      className="flex flex-col gap-7"
    >
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      <input type="hidden" name="token" value={token} />
      <Part title="Your account" description="You become the owner of this instance.">
        <TextField
          id="name"
          name="name"
          label="Your name"
          autoComplete="name"
          value={account.name}
          onChange={(event) => setAccount({ ...account, name: event.target.value })}
          error={errorOf('name')}
          maxLength={100}
          autoFocus
          required
        />
        <TextField
          id="email"
          name="email"
          type="email"
          label="E-mail"
          autoComplete="username"
          value={account.email}
          onChange={(event) => setAccount({ ...account, email: event.target.value })}
          error={errorOf('email')}
          required
        />
        <TextField
          id="password"
          name="password"
          type="password"
          label="Password"
          hint={`${passwordCharsMin} characters or more, not an easy one.`}
          autoComplete="new-password"
          value={account.password}
          onChange={(event) => setAccount({ ...account, password: event.target.value })}
          error={errorOf('password')}
          minLength={passwordCharsMin}
          className="sm:col-span-2"
          required
        />
      </Part>
      <Part title="Your organization" description="Holds your projects and the people who look after them.">
        <TextField
          id="organizationName"
          name="organizationName"
          label="Organization name"
          placeholder="Acme"
          autoComplete="organization"
          value={organizationName}
          onChange={(event) => setOrganizationName(event.target.value)}
          error={errorOf('organizationName')}
          maxLength={100}
          required
        />
        <TextField
          id="organizationSlug"
          name="organizationSlug"
          label="Organization slug"
          hint="Stands in the addresses of its pages."
          value={organizationSlug ?? suggestSlug(organizationName)}
          onChange={(event) => setOrganizationSlug(event.target.value === '' ? null : event.target.value)}
          error={errorOf('organizationSlug')}
          maxLength={50}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:mono"
          required
        />
      </Part>
      <Part title="Your first project" description="The program whose errors you want to see first.">
        <TextField
          id="projectSlug"
          name="projectSlug"
          label="Project slug"
          placeholder="web-shop"
          hint="Stands in front of issue numbers, like WEB-SHOP-3F."
          value={projectSlug}
          onChange={(event) => setProjectSlug(event.target.value)}
          error={errorOf('projectSlug')}
          maxLength={50}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:mono"
          required
        />
        <div className="sm:col-span-2">
          <PlatformPicker name="platform" value={platform} onValueChange={setPlatform} />
        </div>
      </Part>
      <SubmitButton pendingLabel="Setting up…" size="lg" className="w-full">
        Create everything and sign in
      </SubmitButton>
    </form>
  );
}

function Part({ title, description, children }: { title: string; description: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="font-semibold text-lg">{title}</h2>
      <p className="mb-4 text-sm text-text-muted">{description}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
    </section>
  );
}
