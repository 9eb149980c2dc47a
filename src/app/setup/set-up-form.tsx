'use client';

import { type ReactNode, useActionState, useRef, useState } from 'react';
import { NewPasswordField } from '#app/(account)/new-password-fields.tsx';
import { PlatformPicker } from '#app/[org]/projects/platform-picker.tsx';
import { NewSlugFields } from '#app/new-slug-fields.tsx';
import type { SetUpField } from '#product/accounts/set-up-instance.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
import { setUpAction } from './set-up-action.ts';
import type { SetUpState } from './set-up-state.ts';

const INITIAL: SetUpState = { problems: {}, error: null };
const SLUG_RULE = 'Lowercase letters, digits, "-" and "_".';

export function SetUpForm({ token, passwordCharsMin }: { token: string; passwordCharsMin: number }) {
  const [state, action] = useActionState(setUpAction, INITIAL);
  const [account, setAccount] = useState({ name: '', email: '', password: '' });
  const [platform, setPlatform] = useState('javascript');
  const errorOf = (field: SetUpField) => (state.problems[field] ? `${state.problems[field]}.` : null);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  return (
    <form
      ref={form}
      action={action}
      // A browser tells one problem at a time, the server all of them.
      noValidate
      // The framework resets the form after each try; what was chosen must stay.
      onReset={(event) => event.preventDefault()}
      className="flex flex-col gap-7"
    >
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
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
          label="Email"
          autoComplete="username"
          value={account.email}
          onChange={(event) => setAccount({ ...account, email: event.target.value })}
          error={errorOf('email')}
          required
        />
        <NewPasswordField
          label="Password"
          charsMin={passwordCharsMin}
          value={account.password}
          onChange={(event) => setAccount({ ...account, password: event.target.value })}
          error={errorOf('password')}
          minLength={passwordCharsMin}
          className="sm:col-span-2"
        />
      </Part>
      <Part title="Your organization" description="Contains your projects and the people who work on them.">
        <NewSlugFields
          name={{
            id: 'organizationName',
            label: 'Organization name',
            placeholder: 'Acme',
            autoComplete: 'organization',
            error: errorOf('organizationName'),
            maxLength: 100,
            required: true,
          }}
          slug={{
            id: 'organizationSlug',
            label: 'Organization slug',
            hint: `Part of its URLs. ${SLUG_RULE}`,
            error: errorOf('organizationSlug'),
          }}
        />
      </Part>
      <Part title="Your first project" description="The app whose errors you want to see first.">
        <NewSlugFields
          name={{
            id: 'projectName',
            label: 'Project name',
            placeholder: 'Web shop',
            error: errorOf('projectName'),
            maxLength: 200,
          }}
          slug={{
            id: 'projectSlug',
            label: 'Project slug',
            placeholder: 'web-shop',
            hint: `The prefix of issue IDs, like WEB-SHOP-3F. ${SLUG_RULE}`,
            error: errorOf('projectSlug'),
          }}
        />
        <div className="sm:col-span-2">
          <PlatformPicker name="platform" value={platform} onValueChange={setPlatform} />
          {errorOf('platform') ? <Notice tone="danger">{errorOf('platform')}</Notice> : null}
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
