'use client';

import { useRouter } from 'next/navigation';
import { useId } from 'react';
import { withQuery } from '#app/url-state.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { type FormOptions, keyOf, peopleChoices } from './form-options.ts';
import type { RuleDraft } from './rule-draft.ts';

/** The project, which a new rule chooses, and the environment that counts. */
export function WhereFields({
  organizationSlug,
  projects,
  projectSlug,
  isNew,
  environment,
  environments,
  onChange,
}: {
  organizationSlug: string;
  projects: readonly { slug: string; name: string }[];
  projectSlug: string;
  isNew: boolean;
  environment: string;
  environments: readonly string[];
  onChange: (change: { environment: string }) => void;
}) {
  const router = useRouter();
  const known = environments.includes(environment) || environment === '';
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span>Project</span>
      {isNew ? (
        <Select
          label="Project"
          value={projectSlug}
          options={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
          onValueChange={(slug) => {
            // What is offered depends on the project; what was written stays.
            const requested = new URLSearchParams(window.location.search);
            const template = requested.get('template');
            router.replace(withQuery(`/${organizationSlug}/alerts/new`, { project: slug, template }), {
              scroll: false,
            });
          }}
        />
      ) : (
        <bdi className="font-medium">
          {projects.find(({ slug }) => slug === projectSlug)?.name ?? projectSlug}
        </bdi>
      )}
      <span>Environment</span>
      <Select
        label="Environment"
        value={environment}
        options={[
          { value: '', label: 'All environments' },
          ...(known ? environments : [environment, ...environments]).map((value) => ({
            value,
            label: value,
          })),
        ]}
        onValueChange={(value) => onChange({ environment: value })}
      />
    </div>
  );
}

export function OwnerField({
  options,
  owner,
  onChange,
}: {
  options: FormOptions;
  owner: RuleDraft['owner'];
  onChange: (owner: RuleDraft['owner']) => void;
}) {
  const id = useId();
  const people = peopleChoices(options);
  const isGone = owner !== null && !people.some(({ key }) => key === keyOf(owner));
  return (
    <Field id={id} label="Owner" hint="Who maintains this rule.">
      <Select
        id={id}
        look="field"
        value={owner === null ? '' : keyOf(owner)}
        options={[
          { value: '', label: 'None' },
          ...(isGone ? [{ value: keyOf(owner), label: describeReceiver(options, owner) }] : []),
          ...people.map(({ key, label, hint }) => ({ value: key, label, hint })),
        ]}
        onValueChange={(key) => onChange(people.find((choice) => choice.key === key)?.value ?? null)}
      />
    </Field>
  );
}
