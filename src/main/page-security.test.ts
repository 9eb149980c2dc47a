import { createServer, get, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type PageSecurity, securePage } from './page-security.ts';

test('every answer forbids scripts without its nonce, and no two nonces are alike', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const answers = [
    await ask({}, (response) => response.end('ok'), seen),
    await ask({}, (response) => response.end('ok'), seen),
  ];
  const nonces = seen.map((headers) => String(headers['x-errata-nonce']));
  expect(new Set(nonces).size).toBe(2);
  for (const [at, headers] of answers.entries()) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' 'nonce-${nonces[at]}' 'strict-dynamic';`);
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});

test('a policy and a nonce that a request brings do not count', async () => {
  const seen: IncomingHttpHeaders[] = [];
  await ask(
    { sent: { 'content-security-policy': "script-src 'nonce-evil'", 'x-errata-nonce': 'evil' } },
    (response) => response.end('ok'),
    seen,
  );
  expect(JSON.stringify(seen)).not.toContain('evil');
});

test('a route keeps the policy of its own, however it writes its head', async () => {
  const own = "default-src 'none'; sandbox";
  const set = await ask({}, (response) => {
    response.setHeader('content-security-policy', own);
    response.writeHead(200);
    response.end();
  });
  expect(set['content-security-policy']).toBe(own);
  const written = await ask({}, (response) => {
    response.writeHead(200, { 'content-security-policy': own });
    response.end();
  });
  expect(written['content-security-policy']).toBe(own);
});

test('over TLS, browsers are told to stay there', async () => {
  const headers = await ask({ security: { isHttps: true, isDevelopment: false } }, (response) =>
    response.end(),
  );
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
});

test.each([
  ['localhost:9000', false, 'same-origin'],
  ['127.0.0.1:9000', false, 'same-origin'],
  ['[::1]:9000', false, 'same-origin'],
  ['errata.lan:9000', false, undefined],
  ['errata.lan', true, 'same-origin'],
])('windows of %s over TLS (%s) keep apart where browsers heed it', async (host, isHttps, expected) => {
  const headers = await ask({ sent: { host }, security: { isHttps, isDevelopment: false } }, (response) =>
    response.end(),
  );
  expect(headers['cross-origin-opener-policy']).toBe(expected);
});

async function ask(
  {
    sent = {},
    security = { isHttps: false, isDevelopment: false },
  }: { sent?: Record<string, string>; security?: PageSecurity },
  answer: (response: ServerResponse) => void,
  seen: IncomingHttpHeaders[] = [],
): Promise<IncomingHttpHeaders> {
  const server = createServer((request, response) => {
    securePage(request, response, security);
    seen.push({ ...request.headers });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, headers: sent, agent: false }, (response) => {
        response.resume();
        resolve(response.headers);
      }).on('error', reject);
    });
  } finally {
    server.close();
  }
}
