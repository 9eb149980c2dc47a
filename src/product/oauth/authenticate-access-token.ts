import { unauthorized } from '#lib/errors.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import { findTokenContext } from '#product/accounts/authenticate-token.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import { ACCESS_TOKEN_PREFIX } from './exchange-tokens.ts';

const bearerToken = (authorization: string | null): string =>
  (authorization ?? '').replace(/^Bearer\s+/i, '').trim();

/** Whether it is one of a program that a person allowed something. */
export const isAccessToken = (authorization: string | null): boolean =>
  bearerToken(authorization).startsWith(ACCESS_TOKEN_PREFIX);

/** The context of a connected app, its scopes limited by the person's current role. Throws Unauthorized. */
export async function authenticateAccessToken(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  authorization: string | null,
): Promise<{ ctx: Context; grantId: number }> {
  const tokenHash = hashSecret(bearerToken(authorization));
  const grant = await services.stores.oauth.findByAccessToken(tokenHash, services.now());
  if (!grant) throw unauthorized('The access token is invalid or has expired: refresh it or reconnect');
  const ctx = await findTokenContext(services, grant);
  if (!ctx) throw unauthorized('The user who authorized this has left the organization: reconnect');
  return { ctx, grantId: grant.id };
}
