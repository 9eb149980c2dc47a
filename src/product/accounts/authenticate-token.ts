import { unauthorized } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import type { Actor, Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import {
  findOrganizationTokenContext,
  looksLikeOrganizationToken,
} from '#product/tokens/organization-tokens.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { TOKEN_PREFIX, TOKEN_RANDOM_CHARS } from './own-account/own-tokens.ts';

/** The context of an API token, its scopes limited by its owner's role; `Bearer ` is optional. Throws Unauthorized. */
export async function authenticateToken(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  bearer: string | null,
): Promise<Context> {
  const token = (bearer ?? '').replace(/^Bearer\s+/i, '').trim();
  if (token === '') throw unauthorized('No token was sent: add the header "Authorization: Bearer <token>"');
  if (looksLikeOrganizationToken(token)) {
    const found = await findOrganizationTokenContext(services, token);
    if (!found) throw unauthorized('The token is unknown, has expired or was revoked: create a new one');
    return found;
  }
  if (token.length !== TOKEN_PREFIX.length + TOKEN_RANDOM_CHARS || !token.startsWith(TOKEN_PREFIX)) {
    throw unauthorized('This is not an Errata token: create one with `errata token create`');
  }
  const record = await services.stores.accounts.findToken(hashSecret(token), services.now());
  if (!record) throw unauthorized('The token is unknown or has expired: create a new one');
  const context = await findTokenContext(services, { ...record, tokenId: record.id });
  if (!context) throw unauthorized('The owner of the token has left the organization: create a new one');
  return context;
}

/** The context of a token that acts for a user, limited by their role; null when they have left the organization. */
export async function findTokenContext(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  token: { userId: string; organizationId: number; scopes: readonly string[]; tokenId?: number },
): Promise<Context | null> {
  const { userId, organizationId, scopes, tokenId } = token;
  const [user, role, organizations] = await Promise.all([
    stores.accounts.findUser(userId),
    stores.accounts.findRole(organizationId, userId),
    stores.projects.listOrganizations(),
  ]);
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!user || !role || !organization) return null;
  const { name, isInstanceOwner } = user;
  const actor: Actor = {
    kind: 'token',
    userId,
    name,
    role,
    isInstanceOwner,
    scopes,
    ...(tokenId !== undefined && { tokenId }),
  };
  const allowed = SCOPES.filter((scope) => hasRight(actor, scope));
  return { stores, organization, actor: { ...actor, scopes: allowed }, now, publicUrl };
}
