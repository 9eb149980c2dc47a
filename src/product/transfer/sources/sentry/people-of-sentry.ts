/** Who is who in a Sentry: its numbers, and what records name people and teams by. */
export type SentryPeople = {
  /** null for a user that is not a member, and one without an address. */
  emailOf(userId: string): string | null;
  hasTeam(teamId: string): boolean;
};

export type SentryOwner = { kind: 'user'; email: string } | { kind: 'team'; team: string };

/** `user:12` or `team:3`, as Sentry writes it; null for nobody, and for whom the organization does not have. */
export function ownerOf(text: unknown, people: SentryPeople): SentryOwner | null {
  const [kind, id = ''] = String(text ?? '').split(':');
  if (kind === 'team') return people.hasTeam(id) ? { kind, team: id } : null;
  const email = kind === 'user' ? people.emailOf(id) : null;
  return email === null ? null : { kind: 'user', email };
}
