import { ErrataError } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { ACCESS_TOKEN_PREFIX } from './exchange-tokens.ts';

const bearerToken = (authorization: string | null): string =>
  (authorization ?? '').replace(/^Bearer\s+/i, '').trim();

/** Whether it is one of a program that a person allowed something. */
export const isAccessToken = (authorization: string | null): boolean =>
  bearerToken(authorization).startsWith(ACCESS_TOKEN_PREFIX);

/** The context of a connected app, its scopes limited by the person's current role. Throws Unauthorized. */
export async function authenticateAccessToken(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  authorization: string | null,
): Promise<{ ctx: Context; grantId: number }> {
  const grant = await stores.oauth.findByAccessToken(hashSecret(bearerToken(authorization)), now());
  if (!grant) throw unauthorized('The access token is invalid or has expired: refresh it or reconnect');
  const [user, role, organizations] = await Promise.all([
    stores.accounts.findUser(grant.userId),
    stores.accounts.findRole(grant.organizationId, grant.userId),
    stores.projects.listOrganizations(),
  ]);
  const organization = organizations.find(({ id }) => id === grant.organizationId);
  if (!user || !role || !organization) {
    throw unauthorized('The user who authorized this has left the organization: reconnect');
  }
  const actor = {
    kind: 'token',
    userId: user.id,
    name: user.name,
    role,
    isInstanceOwner: user.isInstanceOwner,
    scopes: grant.scopes,
  } as const;
  return {
    ctx: {
      stores,
      organization,
      actor: { ...actor, scopes: SCOPES.filter((scope) => hasRight(actor, scope)) },
      now,
      publicUrl,
    },
    grantId: grant.id,
  };
}

const unauthorized = (message: string) => new ErrataError('unauthorized', message);
