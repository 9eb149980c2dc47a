import { ErrataError } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import type { Context } from '#product/context.ts';
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
  const { accounts, projects } = services.stores;
  const record = await accounts.findToken(hashSecret(token), services.now());
  if (!record) throw unauthorized('The token is unknown or has expired: create a new one');
  const [user, role, organizations] = await Promise.all([
    accounts.findUser(record.userId),
    accounts.findRole(record.organizationId, record.userId),
    projects.listOrganizations(),
  ]);
  const organization = organizations.find((each) => each.id === record.organizationId);
  if (!user || !role || !organization) {
    throw unauthorized('The owner of the token has left the organization: create a new one');
  }
  const actor = {
    kind: 'token',
    userId: user.id,
    name: user.name,
    role,
    isInstanceOwner: user.isInstanceOwner,
    scopes: record.scopes,
    tokenId: record.id,
  } as const;
  return {
    stores: services.stores,
    organization,
    actor: { ...actor, scopes: SCOPES.filter((scope) => hasRight(actor, scope)) },
    now: services.now,
    publicUrl: services.publicUrl,
  };
}

const unauthorized = (message: string) => new ErrataError('unauthorized', message);
