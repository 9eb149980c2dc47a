import { z } from 'zod';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { isErrataError, unavailable } from '#lib/errors.ts';
import type { SingleSignOnClaims } from '#storage/ports/authenticator.ts';

export type ProviderSettings = {
  /** As the provider writes it, for example https://id.example.com/realms/main. */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

const ANSWER_WITHIN_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const DISCOVERY_AGE_MS_MAX = 3600_000;
const FAILURE_AGE_MS_MAX = 5_000;
/** Signed with a key pair: whoever knows the client's secret cannot make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 60;
const NAME_CHARS_MAX = 100;
/** As long as addresses of accounts may be. */
const emailSchema = z.string().trim().toLowerCase().pipe(z.email().max(254));

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
type Discovery = z.infer<typeof discoverySchema>;

const tokensSchema = z.object({ id_token: z.string(), access_token: z.string().optional() });
const keysSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
const claimsSchema = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  // Some providers write it as text.
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
});

export type Provider = {
  /** Throws Unavailable. */
  authorizationUrl(input: { state: string; nonce: string; codeChallenge: string }): Promise<string>;
  /** null when the provider refuses the code, or its token does not hold. Throws Unavailable. */
  exchange(input: { code: string; codeVerifier: string; nonce: string }): Promise<SingleSignOnClaims | null>;
};

/**
 * One OpenID Connect provider. Only the address that the operator wrote is asked what the others are; no answer may
 * redirect. Source: OpenID Connect Discovery 1.0 and Core 1.0, section 3.1.
 */
export function createProvider(
  settings: ProviderSettings,
  redirectUri: string,
  now: () => number = Date.now,
): Provider {
  let known: { until: number; discovery: Promise<Discovery> } | null = null;

  function discover(): Promise<Discovery> {
    if (known && now() < known.until) return known.discovery;
    const entry = { until: now() + DISCOVERY_AGE_MS_MAX, discovery: fetchDiscovery(settings.issuer) };
    known = entry;
    // Whoever presses the button next tries again, but not everybody at once.
    entry.discovery.catch(() => {
      entry.until = now() + FAILURE_AGE_MS_MAX;
    });
    return entry.discovery;
  }

  return {
    async authorizationUrl({ state, nonce, codeChallenge }) {
      const url = new URL((await discover()).authorization_endpoint);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('client_id', settings.clientId);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('scope', 'openid email profile');
      url.searchParams.set('state', state);
      url.searchParams.set('nonce', nonce);
      url.searchParams.set('code_challenge', codeChallenge);
      url.searchParams.set('code_challenge_method', 'S256');
      return url.href;
    },

    async exchange({ code, codeVerifier, nonce }) {
      const discovery = await discover();
      const tokens = await fetchTokens(discovery, settings, { code, codeVerifier, redirectUri });
      if (!tokens) return null;
      const payload = await verifyIdToken(tokens.id_token, discovery, settings);
      if (!payload || payload.nonce !== nonce) return null;
      const own = claimsSchema.safeParse(payload);
      if (!own.success) return null;
      // Many providers tell the address only there.
      const more =
        own.data.email === undefined && discovery.userinfo_endpoint && tokens.access_token
          ? await fetchUserInfo(discovery.userinfo_endpoint, tokens.access_token, own.data.sub)
          : null;
      return toClaims(settings.issuer, more ? { ...own.data, ...more } : own.data);
    },
  };
}

async function fetchDiscovery(issuer: string): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetchJson(address, {});
  const parsed = discoverySchema.safeParse(answer.body);
  if (!answer.ok || !parsed.success) throw away(`${address} is no discovery document`);
  if (parsed.data.issuer !== issuer) {
    throw away(`its issuer is ${parsed.data.issuer}, and ERRATA_OIDC_ISSUER says ${issuer}`);
  }
  return parsed.data;
}

async function fetchTokens(
  discovery: Discovery,
  { clientId, clientSecret }: ProviderSettings,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<z.infer<typeof tokensSchema> | null> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  const methods = discovery.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (methods.includes('client_secret_basic')) {
    // Both halves are form-encoded first (RFC 6749, section 2.3.1).
    const pair = [clientId, clientSecret].map(formEncode).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const answer = await fetchJson(discovery.token_endpoint, {
    method: 'POST',
    headers,
    body: form.toString(),
  });
  const parsed = tokensSchema.safeParse(answer.body);
  return answer.ok && parsed.success ? parsed.data : null;
}

async function verifyIdToken(
  token: string,
  discovery: Discovery,
  { issuer, clientId }: ProviderSettings,
): Promise<Record<string, unknown> | null> {
  const { verifyJwsAccessToken } = await import('@better-auth/core/oauth2');
  const jwksFetch = async () => {
    const { body } = await fetchJson(discovery.jwks_uri, {});
    const parsed = keysSchema.safeParse(body);
    if (!parsed.success) throw away(`${discovery.jwks_uri} holds no keys`);
    return parsed.data;
  };
  const verifyOptions = {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['sub', 'exp', 'iat'],
  };
  try {
    const payload = await verifyJwsAccessToken(token, { jwksFetch, jwksCacheKey: discovery, verifyOptions });
    // A token for several clients has to say that it was made for this one.
    const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
    if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId) return null;
    return payload;
  } catch (error) {
    if (isErrataError(error)) throw error;
    // A wrong key, issuer, audience, time or form: nothing is known about who this is.
    return null;
  }
}

async function fetchUserInfo(endpoint: string, accessToken: string, subject: string) {
  const { ok, body } = await fetchJson(endpoint, { headers: { authorization: `Bearer ${accessToken}` } });
  const parsed = claimsSchema.safeParse(body);
  return ok && parsed.success && parsed.data.sub === subject ? parsed.data : null;
}

function toClaims(issuer: string, claims: z.infer<typeof claimsSchema>): SingleSignOnClaims {
  // What cannot be the address of an account proves none, whatever the provider says.
  const email = emailSchema.safeParse(claims.email).data ?? null;
  return {
    issuer,
    subject: claims.sub,
    email,
    isEmailVerified: email !== null && (claims.email_verified === true || claims.email_verified === 'true'),
    name: readName(claims.name ?? ''),
  };
}

/** On one line, as people may name themselves; null when nothing is left. */
function readName(text: string): string | null {
  const name = text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARS_MAX);
  return name.toWellFormed().trim() || null;
}

const formEncode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** Throws Unavailable when nobody answers, too late, with a redirect, or with too much. */
async function fetchJson(url: string, init: RequestInit): Promise<{ ok: boolean; body: unknown }> {
  try {
    const answer = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await readBounded(answer);
    return { ok: answer.ok, body: parseJson(text) };
  } catch (error) {
    throw away(`${new URL(url).host} does not answer`, error);
  }
}

async function readBounded(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`More than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return null;
  }
}

const away = (what: string, cause?: unknown) =>
  unavailable(`The single sign-on cannot be used now: ${what}`, cause);
