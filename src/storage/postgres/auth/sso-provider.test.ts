import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProvider, type ProviderSettings } from './sso-provider.ts';

const NONCE = 'the nonce of this sign-in';
const STATE = 'the state of this sign-in';
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A provider that answers what the test wants; a real one is met in the journeys. */
const server = createServer((request, response) => answer(request, response));
let answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
let issuer = '';
let settings: ProviderSettings;

const json = (body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const found = answers[new URL(request.url ?? '/', issuer).pathname];
  if (found) found(request, response);
  else response.writeHead(404).end();
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  settings = { issuer, clientId: 'errata', clientSecret: 'a:secret /+%' };
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  answers = {
    '/.well-known/openid-configuration': json(discovery()),
    '/keys': json({ keys: [publicKey(own.publicKey)] }),
    '/token': tokens(token({})),
  };
});

const discovery = (changed: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize?tenant=main`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/me`,
  ...changed,
});
const publicKey = (key: KeyObject) => ({
  ...key.export({ format: 'jwk' }),
  kid: 'one',
  alg: 'RS256',
  use: 'sig',
});

function token(changed: object, key = own.privateKey, header: object = { alg: 'RS256', kid: 'one' }): string {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    sub: 'ana',
    aud: 'errata',
    iat: seconds,
    exp: seconds + 60,
    nonce: NONCE,
    email: ' Ana@Example.com ',
    email_verified: true,
    ...changed,
  };
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

const tokens = (idToken: string) => json({ id_token: idToken, access_token: 'access', token_type: 'Bearer' });

const exchange = (answered: Record<string, string> = { code: 'code' }) =>
  createProvider(settings, 'http://localhost:9000/login/sso/callback').exchange({
    query: new URLSearchParams({ state: STATE, ...answered }),
    state: STATE,
    codeVerifier: 'verifier',
    nonce: NONCE,
  });

test('a browser is sent where the discovery document says, with everything that the answer has to fit', async () => {
  const provider = createProvider(settings, 'http://localhost:9000/login/sso/callback');
  const url = new URL(await provider.authorizationUrl({ state: 's', nonce: 'n', codeChallenge: 'c' }));
  expect(`${url.origin}${url.pathname}`).toBe(`${issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: 'main',
    response_type: 'code',
    client_id: 'errata',
    redirect_uri: 'http://localhost:9000/login/sso/callback',
    scope: 'openid email profile',
    state: 's',
    nonce: 'n',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  });
});

test('a code becomes what the provider vouches for', async () => {
  let authorization = '';
  answers['/token'] = (request, response) => {
    authorization = request.headers.authorization ?? '';
    tokens(token({}))(request, response);
  };
  expect(await exchange()).toEqual({
    issuer,
    subject: 'ana',
    email: 'ana@example.com',
    isEmailVerified: true,
    name: null,
  });
  const pair = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
  expect(pair).toBe('errata:a%3Asecret+%2F%2B%25');
});

test.each([
  ['no address', false],
  ['ana@example.com\r\nbcc: eve@example.com', false],
  [`${'a'.repeat(243)}@example.com`, false],
  [' Ana@Example.com ', true],
])('the address %j is believed: %s', async (email, isBelieved) => {
  answers['/token'] = tokens(token({ email, email_verified: true }));
  expect(await exchange()).toMatchObject({
    email: isBelieved ? 'ana@example.com' : null,
    isEmailVerified: isBelieved,
  });
});

test.each([
  ['Ana\r\n\u0000María', 'Ana María'],
  ['x'.repeat(5000), 'x'.repeat(100)],
  ['\u0007', null],
])('the name %j becomes %j', async (name, kept) => {
  answers['/token'] = tokens(token({ name }));
  expect(await exchange()).toMatchObject({ name: kept });
});

test('a provider that takes the secret in the form only gets it there', async () => {
  answers['/.well-known/openid-configuration'] = json(
    discovery({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
  );
  let form = new URLSearchParams();
  answers['/token'] = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    form = new URLSearchParams(Buffer.concat(parts).toString());
    tokens(token({}))(request, response);
  };
  expect(await exchange()).not.toBeNull();
  expect([form.get('client_secret'), form.get('code_verifier')]).toEqual(['a:secret /+%', 'verifier']);
});

test('the address may stand beside the token, for the same person only', async () => {
  answers['/token'] = tokens(token({ email: undefined }));
  answers['/me'] = json({ sub: 'ana', email: 'ana@example.com', email_verified: 'true' });
  expect(await exchange()).toMatchObject({ email: 'ana@example.com', isEmailVerified: true });
  answers['/me'] = json({ sub: 'eve', email: 'eve@example.com', email_verified: true });
  expect(await exchange()).toMatchObject({ subject: 'ana', email: null });
});

describe('nothing is believed', () => {
  const unsigned = () => `${token({}, own.privateKey, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`;
  test.each<[string, () => string]>([
    ['that was signed by somebody else', () => token({}, foreign.privateKey)],
    ['that is not signed', unsigned],
    [
      'whose signature names a key as a secret',
      () => token({}, own.privateKey, { alg: 'HS256', kid: 'one' }),
    ],
    ['of another sign-in', () => token({ nonce: 'another' })],
    ['without a nonce', () => token({ nonce: undefined })],
    ['for another client', () => token({ aud: 'other' })],
    ['for several clients, made for another', () => token({ aud: ['errata', 'other'], azp: 'other' })],
    ['for several clients, made for nobody', () => token({ aud: ['errata', 'other'] })],
    ['of another issuer', () => token({ iss: 'https://evil.example' })],
    ['that is too old', () => token({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ['that does not end', () => token({ exp: undefined })],
    ['about nobody', () => token({ sub: '' })],
    ['that is no token', () => 'x.y.z'],
  ])('%s', async (_, make) => {
    answers['/token'] = tokens(make());
    expect(await exchange()).toBeNull();
  });

  test('when the provider refuses the code', async () => {
    answers['/token'] = (_, response) => void response.writeHead(400).end('{"error":"invalid_grant"}');
    expect(await exchange()).toBeNull();
  });
});

test('the document is asked for once an hour, and a failure remembered for five seconds', async () => {
  let nowMs = 0;
  let asked = 0;
  const counting = (body: unknown) => (request: IncomingMessage, response: ServerResponse) => {
    asked++;
    json(body)(request, response);
  };
  const provider = createProvider(settings, 'http://localhost/', () => nowMs);
  const begin = () => provider.authorizationUrl({ state: 's', nonce: 'n', codeChallenge: 'c' });
  answers['/.well-known/openid-configuration'] = counting({});
  for (const _ of [1, 2, 3]) await expect(begin()).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toBe(1);
  nowMs += 5_000;
  answers['/.well-known/openid-configuration'] = counting(discovery());
  await Promise.all([begin(), begin(), begin()]);
  nowMs += 3_599_999;
  await begin();
  expect(asked).toBe(2);
  nowMs += 1;
  await begin();
  expect(asked).toBe(3);
});

describe('nothing is asked of the provider', () => {
  test.each<[string, Record<string, string>]>([
    ['when it refused', { error: 'access_denied', code: 'code' }],
    ['when the browser brought no code', {}],
    ['when another issuer answered', { code: 'code', iss: 'https://evil.example' }],
    ['when the browser answers another sign-in', { code: 'code', state: 'another' }],
  ])('%s', async (_, answered) => {
    let wasAsked = false;
    answers['/token'] = (request, response) => {
      wasAsked = true;
      tokens(token({}))(request, response);
    };
    expect(await exchange(answered)).toBeNull();
    expect(wasAsked).toBe(false);
  });

  test('when it promised to name itself, and does not', async () => {
    answers['/.well-known/openid-configuration'] = json(
      discovery({ authorization_response_iss_parameter_supported: true }),
    );
    expect(await exchange()).toBeNull();
    expect(await exchange({ code: 'code', iss: issuer })).not.toBeNull();
  });
});

describe('it cannot be used now', () => {
  const refused = { code: 'unavailable' };

  test('when nobody answers, or with no discovery document', async () => {
    answers = {};
    await expect(exchange()).rejects.toMatchObject(refused);
    settings = { ...settings, issuer: 'http://127.0.0.1:9' };
    await expect(exchange()).rejects.toMatchObject(refused);
    settings = { ...settings, issuer };
  });

  test('when the document is of another issuer', async () => {
    answers['/.well-known/openid-configuration'] = json(discovery({ issuer: 'https://evil.example' }));
    await expect(exchange()).rejects.toThrow('its issuer is https://evil.example');
  });

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'when the document names no %s',
    async (name) => {
      answers['/.well-known/openid-configuration'] = json(discovery({ [name]: undefined }));
      await expect(exchange()).rejects.toThrow(`names no address as ${name}`);
    },
  );

  test.each(['/token', '/keys'])('when its server fails at %s', async (path) => {
    answers[path] = (_, response) => void response.writeHead(503).end();
    await expect(exchange()).rejects.toMatchObject(refused);
  });

  test('when an answer leads elsewhere: the secret goes where the operator said', async () => {
    answers['/token'] = (_, response) =>
      void response.writeHead(307, { location: `${issuer}/elsewhere` }).end();
    let wasAsked = false;
    answers['/elsewhere'] = (request, response) => {
      wasAsked = true;
      tokens(token({}))(request, response);
    };
    await expect(exchange()).rejects.toMatchObject(refused);
    expect(wasAsked).toBe(false);
  });

  test('when an answer does not end', async () => {
    answers['/keys'] = (_, response) => {
      const part = Buffer.alloc(64 * 1024, 32);
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
    };
    await expect(exchange()).rejects.toMatchObject(refused);
  });
});
