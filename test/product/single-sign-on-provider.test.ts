import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SingleSignOn } from '#storage/ports/authenticator.ts';
import { createSingleSignOn } from '#storage/postgres/auth/single-sign-on.ts';
import { type IdentityProvider, type Person, startIdentityProvider } from '../harness/identity-provider.ts';

const PUBLIC_URL = 'http://localhost:9000';
const HOPS_MAX = 8;
const MIA: Person = { sub: 'mia', email: 'mia@example.com', email_verified: true, name: 'Mia Member' };

let provider: IdentityProvider;
let singleSignOn: SingleSignOn;
beforeAll(async () => {
  provider = await startIdentityProvider(`${PUBLIC_URL}/login/sso/callback`);
  provider.setPerson(MIA);
  const { issuer, clientId, clientSecret } = provider;
  singleSignOn = createSingleSignOn(
    { issuer, clientId, clientSecret, name: 'Example ID', allowedDomains: [], autoJoin: null },
    { publicUrl: PUBLIC_URL, secret: 'x'.repeat(32), tries: { takeOfAddress() {} } },
  );
});
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]();
});

/** Follows the provider's redirects as a browser does, up to the one that leads back. */
async function begin(): Promise<{ query: URLSearchParams; headers: Headers }> {
  const { url, cookies } = await singleSignOn.begin({ next: '/main/issues', linkUserId: null });
  const jar = new Map<string, string>();
  let at = url;
  for (let hop = 0; hop < HOPS_MAX && !at.startsWith(PUBLIC_URL); hop++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    at = new URL(answer.headers.get('location') ?? '', at).href;
  }
  const headers = new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') });
  return { query: new URL(at).searchParams, headers };
}

test('a real provider vouches for whoever signs in there, once', async () => {
  const answered = await begin();
  expect(await singleSignOn.finish(answered)).toMatchObject({
    claims: {
      issuer: provider.issuer,
      subject: 'mia',
      email: MIA.email,
      isEmailVerified: true,
      name: MIA.name,
    },
    next: '/main/issues',
  });
  expect(await singleSignOn.finish(answered)).toBeNull();
});

test.each([
  ['of another sign-in', { state: 'x'.repeat(43) }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['with another code', { code: 'another' }],
])('an answer %s is refused', async (_, changed) => {
  const { query, headers } = await begin();
  const forged = new URLSearchParams({ ...Object.fromEntries(query), ...changed });
  expect(await singleSignOn.finish({ query: forged, headers })).toBeNull();
});

test('an answer that another browser earned is refused', async () => {
  const [mine, theirs] = [await begin(), await begin()];
  expect(await singleSignOn.finish({ query: theirs.query, headers: mine.headers })).toBeNull();
  expect(await singleSignOn.finish({ query: mine.query, headers: new Headers() })).toBeNull();
});
