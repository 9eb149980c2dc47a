import type { OrganizationToken } from '#product/tokens/organization-token-store.ts';

/** Source of the fields: Sentry's `org-auth-tokens`. `token` is there once, when it was made. */
export function serializeOrganizationToken(record: OrganizationToken, token: string | null = null) {
  return {
    id: String(record.id),
    name: record.name,
    scopes: record.scopes,
    tokenLastCharacters: record.lastCharacters,
    dateCreated: new Date(record.createdAt).toISOString(),
    dateLastUsed: record.lastUsedAt === null ? null : new Date(record.lastUsedAt).toISOString(),
    expiresAt: record.expiresAt === null ? null : new Date(record.expiresAt).toISOString(),
    projectLastUsedId: null,
    ...(token !== null && { token }),
  };
}
