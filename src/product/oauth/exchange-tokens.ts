import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { findTokenContext } from '#product/accounts/authenticate-token.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import { isOwnResource } from './authorization.ts';
import type { OauthGrant } from './oauth-store.ts';
import { isClientId } from './register-client.ts';

const ACCESS_TOKEN_PREFIX = 'errata_access_';
const REFRESH_TOKEN_PREFIX = 'errata_refresh_';
const ACCESS_SECONDS = 3_600;
const REFRESH_MS = 30 * 86_400_000;
/** An answer that was lost on its way is asked for again within this time. */
const REFRESH_GRACE_MS = 30_000;
/** As RFC 7636 bounds it. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** As RFC 6749 writes both. */
export type TokenAnswer =
  | {
      ok: true;
      body: {
        access_token: string;
        token_type: 'Bearer';
        expires_in: number;
        refresh_token: string;
        scope: string;
      };
    }
  | { ok: false; body: { error: string; error_description: string } };

type Stores = Pick<Services, 'stores' | 'now' | 'publicUrl'>;

/** A code, or a refresh token, for tokens. Source: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
export async function exchangeTokens(services: Stores, form: URLSearchParams): Promise<TokenAnswer> {
  if (!isOwnResource(form.get('resource'), services.publicUrl)) {
    return refuse('invalid_target', 'resource is a different server');
  }
  const clientId = form.get('client_id') ?? '';
  if (!isClientId(clientId) || !(await services.stores.oauth.findClient(clientId))) {
    // One that was forgotten registers again when it is told so.
    return refuse('invalid_client', 'client_id is not a registered client: register again');
  }
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(services, form);
    case 'refresh_token':
      return exchangeRefreshToken(services, form);
    default:
      return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

async function exchangeCode(services: Stores, form: URLSearchParams): Promise<TokenAnswer> {
  const { oauth } = services.stores;
  const used = await oauth.redeemCode(hashSecret(form.get('code') ?? ''), services.now());
  if (!used)
    return refuse('invalid_grant', 'The code is invalid, has already been used, or is older than a minute');
  const { grant, code } = used;
  const isSame =
    grant.clientId === form.get('client_id') &&
    (form.get('redirect_uri') ?? code.redirectUri) === code.redirectUri &&
    isVerified(form.get('code_verifier') ?? '', code.challenge);
  if (isSame) return give(services, grant);
  await oauth.endGrantById(grant.id);
  return refuse(
    'invalid_grant',
    'client_id, redirect_uri, or code_verifier do not match the authorization request',
  );
}

async function exchangeRefreshToken(services: Stores, form: URLSearchParams): Promise<TokenAnswer> {
  const { oauth } = services.stores;
  const hash = hashSecret(form.get('refresh_token') ?? '');
  const grant = await oauth.redeemRefreshToken(hash, services.now(), REFRESH_GRACE_MS);
  if (!grant)
    return refuse('invalid_grant', 'The refresh token is invalid, has expired, or has already been used');
  if (grant.clientId === form.get('client_id')) return give(services, grant);
  await oauth.endGrantById(grant.id);
  return refuse('invalid_grant', 'The refresh token belongs to another client');
}

/** Source: https://www.rfc-editor.org/rfc/rfc7636#section-4.6 */
function isVerified(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const asked = Buffer.from(challenge);
  return made.length === asked.length && timingSafeEqual(made, asked);
}

async function give(services: Stores, grant: OauthGrant): Promise<TokenAnswer> {
  const access = `${ACCESS_TOKEN_PREFIX}${createOneTimeSecret()}`;
  const refresh = `${REFRESH_TOKEN_PREFIX}${createOneTimeSecret()}`;
  const nowMs = services.now();
  const isAdded = await services.stores.oauth.addTokens(
    grant.id,
    {
      accessHash: hashSecret(access),
      accessExpiresAt: nowMs + ACCESS_SECONDS * 1_000,
      refreshHash: hashSecret(refresh),
      refreshExpiresAt: nowMs + REFRESH_MS,
    },
    nowMs,
  );
  if (!isAdded) return refuse('invalid_grant', 'The authorization has been revoked');
  return {
    ok: true,
    body: {
      access_token: access,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh,
      scope: grant.scopes.join(' '),
    },
  };
}

const refuse = (error: string, description: string): TokenAnswer => ({
  ok: false,
  body: { error, error_description: description },
});

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
