'use client';

import type { Fields, FormValues } from '#app/forms/fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Notice } from '#ui/notice.tsx';
import { addDestinationAction, updateDestinationAction } from './actions.ts';

/** A destination; without an ID a form for a new one of the kind. */
export function DestinationForm({
  organizationSlug,
  kind,
  destinationId,
  fields,
  values,
  canChange,
}: {
  organizationSlug: string;
  kind: DestinationKind;
  destinationId: number | null;
  fields: Fields;
  values?: FormValues<Fields>;
  canChange: boolean;
}) {
  const form = useForm(
    destinationId === null
      ? addDestinationAction.bind(null, organizationSlug, { kind })
      : updateDestinationAction.bind(null, organizationSlug, { kind, destinationId }),
  );
  const { result } = form.state;
  const secret = result?.generatedSecret ?? null;
  if (destinationId === null && secret !== null) {
    return (
      <SecretOnce secret={secret}>
        <ButtonLink
          variant="primary"
          href={`/${organizationSlug}/settings/destinations/${result?.destinationId}`}
        >
          I have copied it
        </ButtonLink>
      </SecretOnce>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {secret === null ? null : <SecretOnce secret={secret} />}
      <FormFrame
        form={form}
        canChange={canChange}
        submitLabel={destinationId === null ? 'Add destination' : 'Save'}
        savedTitle="Destination saved"
        className="gap-4"
      >
        <FieldInputs fields={fields} values={values} state={form.state} canChange={canChange} />
      </FormFrame>
    </div>
  );
}

function SecretOnce({ secret, children }: { secret: string; children?: React.ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <Notice tone="success" title="Copy this signing secret now">
        You will not see it again. Your program uses it to verify that a message is from Errata.
      </Notice>
      <div className="w-full">
        <CodeBlock text={secret} label="the signing secret" />
      </div>
      {children}
    </div>
  );
}
