import { fields } from '#app/forms/fields.ts';
import type { Role } from '#domain/people.ts';

/** What each role can do, in a sentence; each can also do what the one before can. */
export const ROLE_LABELS: Readonly<Record<Role, { label: string; about: string }>> = {
  viewer: { label: 'Viewer', about: 'Can view issues, events and statistics.' },
  member: { label: 'Member', about: 'Can resolve, archive, assign, comment on and merge issues.' },
  admin: { label: 'Admin', about: 'Can create and configure projects: keys, filters, grouping, ownership.' },
  manager: {
    label: 'Manager',
    about: 'Can manage members, teams and the organization, and delete projects and issues.',
  },
  owner: { label: 'Owner', about: 'Can add owners, manage authentication and export the audit log.' },
};

export type RoleChoice = { value: Role; label: string; hint: string };

export const roleChoices = (roles: readonly Role[]): readonly RoleChoice[] =>
  roles.map((role) => ({ value: role, label: ROLE_LABELS[role].label, hint: ROLE_LABELS[role].about }));

export const INVITE_FIELDS = fields({
  email: { kind: 'email', label: 'Email', placeholder: 'ana@example.com' },
  role: { kind: 'choice', label: 'Role' },
  teams: { kind: 'choices', label: 'Teams' },
});
