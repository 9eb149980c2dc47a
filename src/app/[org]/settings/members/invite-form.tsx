'use client';

import { LineForm } from '#app/forms/fields-form.tsx';
import { inviteAction, type SentView } from './actions.ts';
import { INVITE_FIELDS } from './invite-fields.ts';
import type { RoleChoice } from './role-labels.ts';
import { SentNotice } from './sent-notice.tsx';

/** Invites somebody. */
export function InviteForm({
  orgSlug,
  roles,
  teams,
}: {
  orgSlug: string;
  /** Those that the person who invites may give, fewest rights first. */
  roles: readonly RoleChoice[];
  teams: readonly { value: string; label: string }[];
}) {
  const { email, role } = INVITE_FIELDS;
  const role0 = roles.find(({ value }) => value === 'member') ?? roles[0];
  return (
    <LineForm<SentView>
      fields={{
        email,
        role: { ...role, options: roles },
        ...(teams.length > 0 ? { teams: { ...INVITE_FIELDS.teams, options: teams } } : {}),
      }}
      values={{ role: role0?.value }}
      action={inviteAction.bind(null, orgSlug, null)}
      submitLabel="Invite"
      pendingLabel="Inviting…"
    >
      {(sent) => <SentNotice sent={sent} />}
    </LineForm>
  );
}
