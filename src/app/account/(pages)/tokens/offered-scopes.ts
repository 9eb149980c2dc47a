import { SCOPES, type Scope } from '#protocol/scopes.ts';

/** What each scope lets a token do, in a few words; null while nothing here asks for it. */
export const SCOPE_LABELS: Readonly<Record<Scope, string | null>> = {
  'org:read': 'view the organization, its limits and its tokens',
  'org:write': 'change settings, limits and tokens; view the audit log',
  'org:admin': 'delete the organization, change how members sign in',
  'org:integrations': 'change destinations, repositories and trackers',
  'org:ci': 'upload source maps, report releases, create auth tokens',
  'member:read': 'list members',
  'member:write': null,
  'member:admin': 'change roles, remove members',
  'member:invite': 'invite people',
  'team:read': 'list teams',
  'team:write': 'create and change teams',
  'team:admin': 'delete teams',
  'project:read': 'view projects and their DSNs',
  'project:write': 'create projects, change settings and keys',
  'project:admin': 'delete projects',
  'project:releases': 'upload source maps, report releases and deploys, map code',
  'project:distribution': null,
  'event:read': 'read issues, events and telemetry',
  'event:write': 'resolve, archive, assign, comment',
  'event:admin': 'delete issues',
  'alerts:read': 'view alert rules, destinations and sent messages',
  'alerts:write': 'change alert rules',
};

/** Those that a new token can be given here. */
export const OFFERED_SCOPES: readonly { scope: Scope; words: string }[] = SCOPES.flatMap((scope) => {
  const words = SCOPE_LABELS[scope];
  return words === null ? [] : { scope, words };
});

/** A first call with a new token, ready for a terminal: the unresolved issues, or who asks when it may not read them. */
export function tokenCommand({
  publicUrl,
  organizationSlug,
  scopes,
  token,
}: {
  /** Address of this instance, without a slash at its end. */
  publicUrl: string;
  organizationSlug: string;
  scopes: readonly string[];
  token: string;
}): string {
  const readsIssues = scopes.some((scope) => scope.startsWith('event:'));
  const path = readsIssues
    ? `organizations/${encodeURIComponent(organizationSlug)}/issues/?query=is:unresolved`
    : '';
  return `curl -H 'Authorization: Bearer ${token}' '${publicUrl}/api/0/${path}'`;
}
