import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS } from '#lib/time.ts';
import type { SingleSignOn } from '#storage/ports/authenticator.ts';
import { readCookie } from './devices.ts';
import { cookiePrefix } from './options.ts';
import { createProvider, type ProviderSettings } from './sso-provider.ts';
import type { Tries } from './tries.ts';

export type SingleSignOnSettings = ProviderSettings &
  Pick<SingleSignOn, 'name' | 'allowedDomains' | 'autoJoin'>;

/** Where the provider sends the browser back to; the operator registers this address with it. */
export const SINGLE_SIGN_ON_CALLBACK = '/login/sso/callback';

/** Between the button and the answer of the provider. */
const STATE_MS = 10 * MINUTE_MS;
const SECRET_BYTES = 32;

const stateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string(),
  linkUserId: z.string().nullable(),
  expiresAt: z.number(),
});
type State = z.infer<typeof stateSchema>;

/**
 * The authorization code flow with PKCE, state and nonce. What the answer has to fit is kept in an encrypted cookie of
 * the browser that began, so an answer that another browser earned opens nothing here.
 * Sources: OpenID Connect Core 1.0, RFC 7636, RFC 9207.
 */
export function createSingleSignOn(
  settings: SingleSignOnSettings,
  {
    publicUrl,
    secret,
    tries,
    now = Date.now,
  }: { publicUrl: string; secret: string; tries: Pick<Tries, 'takeOfAddress'>; now?: () => number },
): SingleSignOn {
  const redirectUri = `${publicUrl}${SINGLE_SIGN_ON_CALLBACK}`;
  const provider = createProvider(settings, redirectUri, now);
  const cookieName = `${cookiePrefix(publicUrl)}.sso`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

  return {
    name: settings.name,
    allowedDomains: settings.allowedDomains,
    autoJoin: settings.autoJoin,

    async begin({ next, linkUserId }) {
      const state: State = {
        state: randomText(),
        nonce: randomText(),
        codeVerifier: randomText(),
        next,
        linkUserId,
        expiresAt: now() + STATE_MS,
      };
      const url = await provider.authorizationUrl({
        state: state.state,
        nonce: state.nonce,
        codeChallenge: createHash('sha256').update(state.codeVerifier).digest('base64url'),
      });
      const sealed = await seal(state, secret);
      return { url, cookies: [`${cookieName}=${sealed}; Max-Age=${STATE_MS / 1000}; ${attributes}`] };
    },

    async finish({ query, headers }) {
      tries.takeOfAddress(headers);
      const state = await unseal(readCookie(headers, cookieName), secret);
      if (!state || state.expiresAt <= now() || !isEqual(state.state, query.get('state') ?? '')) return null;
      const claims = await provider.exchange({
        query,
        state: state.state,
        codeVerifier: state.codeVerifier,
        nonce: state.nonce,
      });
      if (!claims) return null;
      const { next, linkUserId } = state;
      return { claims, next, linkUserId, cookies: [`${cookieName}=; Max-Age=0; ${attributes}`] };
    },
  };
}

const randomText = (): string => randomBytes(SECRET_BYTES).toString('base64url');

async function seal(state: State, secret: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  return symmetricEncrypt({ key: sealingKey(secret), data: JSON.stringify(state) });
}

async function unseal(sealed: string, secret: string): Promise<State | null> {
  if (sealed === '') return null;
  const { symmetricDecrypt } = await import('better-auth/crypto');
  try {
    return stateSchema.parse(JSON.parse(await symmetricDecrypt({ key: sealingKey(secret), data: sealed })));
  } catch {
    return null;
  }
}

/** What one purpose has encrypted must mean nothing to another. */
const sealingKey = (secret: string): string =>
  createHash('sha256').update(`sso state ${secret}`).digest('hex');

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
