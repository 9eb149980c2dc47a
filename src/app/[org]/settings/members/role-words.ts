import type { Role } from '#storage/ports/accounts.ts';

/** What each role may, in one sentence; each may what the one before may. */
export const ROLE_WORDS: Readonly<Record<Role, { label: string; about: string }>> = {
  viewer: { label: 'Viewer', about: 'Reads issues, events and statistics.' },
  member: { label: 'Member', about: 'Resolves, archives, assigns, comments, merges.' },
  admin: { label: 'Admin', about: 'Creates projects and sets them up: keys, filters, grouping, ownership.' },
  manager: { label: 'Manager', about: 'Manages members, teams and the organization, and deletes.' },
  owner: { label: 'Owner', about: 'Makes owners, decides how people sign in, exports the audit log.' },
};

export type RoleChoice = { value: Role; label: string; hint: string };

export const roleChoices = (roles: readonly Role[]): readonly RoleChoice[] =>
  roles.map((role) => ({ value: role, label: ROLE_WORDS[role].label, hint: ROLE_WORDS[role].about }));
