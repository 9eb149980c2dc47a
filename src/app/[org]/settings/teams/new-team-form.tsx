import { CreateForm } from '#app/[org]/settings/create-form.tsx';
import { createTeamAction } from './team-actions.ts';

export function NewTeamForm({ orgSlug }: { orgSlug: string }) {
  return (
    <CreateForm
      id="team-name"
      label="Name of a new team"
      hint="Its short name, for #mentions and rules, is made of it."
      placeholder="Payments"
      submitLabel="Create team"
      action={createTeamAction.bind(null, orgSlug)}
    />
  );
}
