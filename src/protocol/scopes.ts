/**
 * What a token may do, in Sentry's names: https://docs.sentry.io/api/permissions/
 * Of one noun, `admin` includes `write`, and `write` includes `read`.
 */
export const SCOPES = [
  'org:read',
  'org:write',
  'org:admin',
  'org:integrations',
  'org:ci',
  'member:read',
  'member:write',
  'member:admin',
  'member:invite',
  'team:read',
  'team:write',
  'team:admin',
  'project:read',
  'project:write',
  'project:admin',
  'project:releases',
  'project:distribution',
  'event:read',
  'event:write',
  'event:admin',
  'alerts:read',
  'alerts:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** The given scopes with those that they include; unknown ones are left out. */
export function expandScopes(scopes: readonly string[]): ReadonlySet<Scope> {
  const expanded = new Set<Scope>();
  for (const scope of scopes.filter(isScope)) {
    const [noun, verb = ''] = scope.split(':');
    for (const included of INCLUDED[verb] ?? [verb]) {
      const candidate = `${noun}:${included}`;
      if (isScope(candidate)) expanded.add(candidate);
    }
  }
  return expanded;
}

const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};
