'use client';

import { useState } from 'react';
import { saveRepositoryAction } from '#app/[org]/settings/organization-actions.ts';
import { REPOSITORY_FIELDS } from '#app/[org]/settings/organization-fields.ts';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import type { Repository } from '#product/repositories/repository.ts';

const { name, provider, linkTemplate, url } = REPOSITORY_FIELDS;
const URL_REQUIRED_HELP = 'The URL of the repository.';

export function RepositoryForm({ orgSlug, repository }: { orgSlug: string; repository: Repository | null }) {
  const form = useForm(saveRepositoryAction.bind(null, orgSlug, repository?.id ?? null));
  const [chosen, setChosen] = useState<string>(repository?.provider ?? 'github');
  const hasNoUsualHost = chosen === 'gitea' || chosen === 'unknown';
  const values = valuesOf(REPOSITORY_FIELDS, { ...repository, provider: chosen });
  return (
    <FormFrame
      form={form}
      submitLabel={repository ? 'Save' : 'Add repository'}
      savedTitle={repository ? 'Repository saved' : 'Repository added'}
      className="gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldInputs
          fields={{ name, provider }}
          values={values}
          state={form.state}
          onChoose={(_, value) => setChosen(value)}
        />
      </div>
      <FieldInputs
        fields={
          chosen === 'other'
            ? { linkTemplate }
            : { url: hasNoUsualHost ? { ...url, help: URL_REQUIRED_HELP } : url }
        }
        values={values}
        state={form.state}
      />
    </FormFrame>
  );
}
