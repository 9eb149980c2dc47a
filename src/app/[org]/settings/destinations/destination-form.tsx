'use client';

import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { DestinationKind } from '#storage/ports/destinations.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { addDestinationAction, updateDestinationAction } from './destination-actions.ts';
import type { FormField } from './form-fields.ts';

const NAME_CHARACTERS_MAX = 80;
const VALUE_CHARACTERS_MAX = 4_000;

/** A destination; without one a form for a new one of the kind. */
export function DestinationForm({
  organizationSlug,
  kind,
  destination,
  fields,
  canChange,
}: {
  organizationSlug: string;
  kind: DestinationKind;
  destination: { id: number; name: string } | null;
  fields: readonly FormField[];
  canChange: boolean;
}) {
  const form = useSettingsForm(
    destination === null
      ? addDestinationAction.bind(null, organizationSlug, kind)
      : updateDestinationAction.bind(null, organizationSlug, kind, destination.id),
    { error: null, problems: {}, savedAt: null, generatedSecret: null, destinationId: null },
    destination === null ? 'Destination added' : 'Destination saved',
  );
  const { problems, generatedSecret, destinationId, savedAt } = form.state;
  if (destination === null && generatedSecret !== null) {
    return (
      <SecretOnce secret={generatedSecret}>
        <ButtonLink variant="primary" href={`/${organizationSlug}/settings/destinations/${destinationId}`}>
          I have copied it
        </ButtonLink>
      </SecretOnce>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {generatedSecret === null ? null : <SecretOnce secret={generatedSecret} />}
      <SettingsForm
        form={form}
        canChange={canChange}
        submitLabel={destination === null ? 'Add destination' : 'Save'}
        className="gap-4"
      >
        <TextField
          name="name"
          label="Name"
          hint="As rules name it."
          placeholder="Team chat"
          defaultValue={destination?.name}
          error={problems.name}
          maxLength={NAME_CHARACTERS_MAX}
          autoComplete="off"
          required
        />
        {/* Once it is saved, what is secret is gone from the page. */}
        <div key={savedAt ?? 'typed'} className="flex flex-col gap-4">
          {fields.map(({ key, label, hint, placeholder, isSecret, isRequired, value }) => (
            <TextField
              key={key}
              name={key}
              type={isSecret ? 'password' : 'text'}
              label={isRequired || isSecret ? label : `${label} (may be empty)`}
              hint={hint}
              placeholder={placeholder}
              defaultValue={value}
              error={problems[key]}
              maxLength={VALUE_CHARACTERS_MAX}
              // No password of a person: nothing to fill in, and nothing to keep.
              autoComplete={isSecret ? 'new-password' : 'off'}
              spellCheck={false}
              required={isRequired}
            />
          ))}
        </div>
      </SettingsForm>
    </div>
  );
}

function SecretOnce({ secret, children }: { secret: string; children?: React.ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <Notice tone="success" title="This signing secret is shown only now">
        Your program checks with it that a message is from Errata. Copy it before you go on.
      </Notice>
      <div className="w-full">
        <CodeBlock text={secret} label="the signing secret" />
      </div>
      {children}
    </div>
  );
}
