'use client';

import { useId, useState } from 'react';
import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { Repository, RepositoryProvider } from '#storage/ports/repositories.ts';
import { Field, TextField } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { PROVIDER_WORDS, PROVIDERS_OFFERED } from './provider-words.ts';
import { saveRepositoryAction } from './repository-actions.ts';

const OPTIONS = PROVIDERS_OFFERED.map((value) => ({ value, label: PROVIDER_WORDS[value] }));

/** A repository; without one a form for a new one, which is empty again once it was made. */
export function RepositoryForm({ orgSlug, repository }: { orgSlug: string; repository: Repository | null }) {
  const form = useSettingsForm(
    saveRepositoryAction.bind(null, orgSlug, repository?.id ?? null),
    { error: null, problems: {}, savedAt: null },
    repository ? 'Repository saved' : 'Repository added',
  );
  const { problems, savedAt } = form.state;
  return (
    <SettingsForm
      form={form}
      canChange
      submitLabel={repository ? 'Save' : 'Add repository'}
      className="gap-4"
    >
      <Fields key={repository ? 'kept' : (savedAt ?? 'new')} repository={repository} problems={problems} />
    </SettingsForm>
  );
}

function Fields({
  repository,
  problems,
}: {
  repository: Repository | null;
  problems: Readonly<Record<string, string>>;
}) {
  const providerId = useId();
  const [provider, setProvider] = useState<RepositoryProvider>(repository?.provider ?? 'github');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="name"
          label="Name"
          hint="As commits name it."
          placeholder="acme/web"
          defaultValue={repository?.name}
          error={problems.name}
          autoComplete="off"
          required
        />
        <Field id={providerId} label="Where it is" error={problems.provider}>
          <Select
            id={providerId}
            name="provider"
            look="field"
            options={OPTIONS}
            value={provider}
            onValueChange={setProvider}
          />
        </Field>
      </div>
      {provider === 'other' ? (
        <TextField
          name="linkTemplate"
          label="Link to a line"
          hint="{path}, {line} and {commit} are filled in."
          placeholder="https://code.example.com/web/{path}?at={commit}#{line}"
          defaultValue={repository?.linkTemplate ?? ''}
          error={problems.linkTemplate}
          autoComplete="off"
        />
      ) : (
        <TextField
          name="url"
          label="Address"
          hint={
            provider === 'gitea' || provider === 'unknown'
              ? 'Of its page in a browser.'
              : 'Of its page in a browser; only needed for a server of your own.'
          }
          placeholder="https://git.example.com/acme/web"
          defaultValue={repository?.url ?? ''}
          error={problems.url}
          autoComplete="off"
        />
      )}
    </>
  );
}
