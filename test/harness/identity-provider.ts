import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Context, Provider } from 'oidc-provider';
import { findFreePort } from '#storage/embedded/free-port.ts';

/** Who signs in at the provider. `sub` never changes, the rest may. */
export type Person = { sub: string; email: string; email_verified: boolean; name: string };

export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whoever comes next is this person, without being asked. */
  setPerson(person: Person): void;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A real OpenID Connect provider on this machine that insists on PKCE. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const issuer = `http://localhost:${await findFreePort()}`;
  const clientId = 'errata';
  // What has to be encoded in the header is part of it.
  const clientSecret = `${randomBytes(16).toString('hex')}:/+ %`;
  const people = new Map<string, Person>();
  let current: Person | null = null;

  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [signingKey()] },
    ttl: { Session: 1, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) }),
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/') || !current) return handle(request, response);
    const result = { login: { accountId: current.sub } };
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  server.listen(Number(new URL(issuer).port));
  await once(server, 'listening');
  return {
    issuer,
    clientId,
    clientSecret,
    setPerson(person) {
      people.set(person.sub, person);
      current = person;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' };
}
