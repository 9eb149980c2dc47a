import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
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

const ANSWER_WITHIN_SECONDS = 10;
/** An answer of the identity provider. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** How long the discovery document is cached. */
const DISCOVERY_AGE_MS_MAX = 3600_000;
/** How long a failed discovery is cached. */
const FAILURE_AGE_MS_MAX = 5_000;
const CLOCK_TOLERANCE_SECONDS = 60;
/** Name of a person. */
const NAME_CHARS_MAX = 100;
/** As long as addresses of accounts may be. */
const emailSchema = z.string().trim().toLowerCase().pipe(z.email().max(254));

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
  /**
   * `query` is what the browser brought back. null when the provider refused, or when its answer or its token does not
   * hold. Throws Unavailable.
   */
  exchange(input: {
    query: URLSearchParams;
    state: string;
    codeVerifier: string;
    nonce: string;
  }): Promise<SingleSignOnClaims | null>;
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
  let known: { until: number; client: Promise<Configuration> } | null = null;

  function discover(): Promise<Configuration> {
    if (known && now() < known.until) return known.client;
    const entry = { until: now() + DISCOVERY_AGE_MS_MAX, client: discoverClient(settings) };
    known = entry;
    // Whoever presses the button next tries again, but not everybody at once.
    entry.client.catch(() => {
      entry.until = now() + FAILURE_AGE_MS_MAX;
    });
    return entry.client;
  }

  return {
    async authorizationUrl({ state, nonce, codeChallenge }) {
      const { buildAuthorizationUrl } = await import('openid-client');
      const url = buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async exchange({ query, state, codeVerifier, nonce }) {
      const { authorizationCodeGrant } = await import('openid-client');
      const client = await discover();
      const answer = new URL(redirectUri);
      answer.search = query.toString();
      const tokens = await unlessRefused(
        authorizationCodeGrant(client, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
        }),
      );
      const own = claimsSchema.safeParse(tokens?.claims());
      if (!tokens || !own.success) return null;
      // Many providers tell the address only there.
      const more =
        own.data.email === undefined && client.serverMetadata().userinfo_endpoint
          ? await readUserInfo(client, tokens.access_token, own.data.sub)
          : null;
      return toClaims(settings.issuer, more ? { ...own.data, ...more } : own.data);
    },
  };
}

async function discoverClient({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, clockTolerance, customFetch, discovery, enableNonRepudiationChecks } =
    await import('openid-client');
  const isPlain = issuer.startsWith('http:');
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const client = await unlessRefused(
    discovery(
      new URL(address),
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticateWith(clientSecret),
      {
        [customFetch]: fetchBounded,
        timeout: ANSWER_WITHIN_SECONDS,
        // The token is not believed for having come from the provider: its signature is checked as well.
        execute: isPlain ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
      },
    ),
  );
  if (!client) throw away(`${address} is not a discovery document`);
  const metadata = client.serverMetadata();
  if (metadata.issuer !== issuer) {
    throw away(`its issuer is ${metadata.issuer}, and ERRATA_OIDC_ISSUER says ${issuer}`);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const endpoint = metadata[name] ?? '';
    if (!endpoint.startsWith('https:') && !(isPlain && endpoint.startsWith('http:'))) {
      throw away(`${address} names no ${isPlain ? '' : 'https '}address as ${name}`);
    }
  }
  return client;
}

/**
 * By header, unless the provider takes the form only. Providers that do not decode the header are as common as those that
 * do, so it is encoded no further than RFC 6749, section 2.3.1 asks for.
 */
const authenticateWith =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    if (methods.includes('client_secret_basic')) {
      const pair = [client.client_id, secret].map(formEncode).join(':');
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
    } else {
      body.set('client_id', client.client_id);
      body.set('client_secret', secret);
    }
  };

const formEncode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

async function readUserInfo(client: Configuration, accessToken: string, subject: string) {
  const { fetchUserInfo } = await import('openid-client');
  const answer = await unlessRefused(fetchUserInfo(client, accessToken, subject));
  return claimsSchema.safeParse(answer).data ?? null;
}

/** null when what came does not hold: a refusal, or a wrong key, issuer, audience, time or form. Throws Unavailable. */
async function unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    // The library wraps what `fetchBounded` throws.
    if (isErrataError(cause)) throw cause;
    // How it tells a caller's mistake; all else is the provider's.
    if (error instanceof TypeError) throw error;
    return null;
  }
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

/**
 * The library asks through this. Throws Unavailable when nobody answers, too late, with a redirect, with too much, or with
 * a failure of the server. The content type of an answer is not looked at, as many providers leave it out.
 */
const fetchBounded: CustomFetch = async (url, { method, headers, body, signal }) => {
  try {
    const form = body instanceof URLSearchParams ? body : null;
    const answer = await fetch(url, { method, headers, body: form, signal, redirect: 'error' });
    const text = await readBounded(answer);
    if (answer.status >= 500) throw new Error(`It answers ${answer.status}`);
    return Response.json(parseJson(text), { status: answer.ok ? 200 : 400 });
  } catch (error) {
    throw away(`${new URL(url).host} is not responding`, error);
  }
};

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

const away = (what: string, cause?: unknown) => unavailable(`Single sign-on is unavailable: ${what}`, cause);
