import { CreateForm } from '#app/[org]/settings/create-form.tsx';
import { createKeyAction } from './key-actions.ts';

export function NewKeyForm({ orgSlug, projectSlug }: { orgSlug: string; projectSlug: string }) {
  return (
    <CreateForm
      id="label"
      label="Label of a new key"
      hint="For example the app, the team or the place that uses it."
      placeholder="Mobile app"
      submitLabel="Create key"
      action={createKeyAction.bind(null, orgSlug, projectSlug)}
    />
  );
}
