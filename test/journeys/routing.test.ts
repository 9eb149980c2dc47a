import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findIssue } from '../harness/find-event.ts';
import { cookiesOf, postSignIn, readHiddenFields } from '../harness/plain-form.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { ROOT } from '../harness/start-errata.ts';

let url: string;
let cookie: string;
let shortId: string;
let signedIn: Response;

beforeAll(async () => {
  const { errata, api, slug, dsn } = await makeProject('routing');
  url = errata.url;
  signedIn = await postSignIn(url);
  cookie = cookiesOf(signedIn);
  const event = makeJavascriptError({ issue: 9100, bytes: 1500 });
  const sent = buildEnvelope({ event_id: event.event_id }, [
    { type: 'event', payload: JSON.stringify(event) },
  ]);
  expect((await postEnvelope(parseDsn(dsn), sent)).status).toBe(200);
  shortId = (await findIssue(api, slug, () => true, 10_000)).shortId;
});

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(new URL(address, url), { headers: { cookie, ...headers }, redirect: 'manual' });

describe('routes', () => {
  test('dynamic and catch-all segments', async () => {
    const issue = await get(`/main/issues/${shortId}`);
    expect([issue.status, (await issue.text()).includes(shortId)]).toEqual([200, true]);
    const unknown = await get('/api/0/a/b/c/');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  test('a rewrite keeps the address, a redirect gives the new one', async () => {
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const password = await get('/.well-known/change-password');
    expect([password.status, password.headers.get('location')]).toEqual([303, '/account/security']);
    const manifest = JSON.parse(readFileSync(path.join(ROOT, '.next/routes-manifest.json'), 'utf8')) as {
      rewrites: unknown;
      redirects: unknown[];
      dynamicRoutes: { page: string }[];
    };
    expect(JSON.stringify(manifest.rewrites)).toContain('/favicon.ico');
    expect(JSON.stringify(manifest.redirects)).toContain('/.well-known/change-password');
    expect(manifest.dynamicRoutes.map(({ page }) => page)).toEqual(
      expect.arrayContaining(['/[org]/issues/[issue]', '/api/0/[[...path]]']),
    );
  });

  test('303 after a form without scripts, 307 for now, 308 for good', async () => {
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
    const home = await get('/');
    expect([home.status, home.headers.get('location')]).toEqual([307, '/main/issues']);
    const signedOut = await fetch(`${url}/main/stats`, { redirect: 'manual' });
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([
      307,
      '/login?next=%2Fmain%2Fstats',
    ]);
    const old = await get('/organizations/main/issues/');
    expect([old.status, old.headers.get('location')]).toEqual([308, '/main/issues']);
  });

  test.each(['/nowhere/at/all', '/main/nothing-here', '/main/issues/NONE-1'])(
    '%s is not found, and says so to machines',
    async (address) => {
      const missing = await get(address);
      const html = await missing.text();
      expect(missing.status).toBe(404);
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).toContain('Page not found');
    },
  );
});

describe('page data', () => {
  test('a request with the headers of the router gets data instead of a document', async () => {
    const unmarked = await get('/main/issues', { rsc: '1' });
    expect([unmarked.status, unmarked.headers.get('location')]).toEqual([307, '/main/issues?_rsc']);
    const wrong = await get('/main/issues?_rsc=wrong', { rsc: '1' });
    expect(wrong.status).toBe(307);
    const data = await get('/main/issues?_rsc', { rsc: '1' });
    expect([data.status, data.headers.get('content-type')]).toEqual([200, 'text/x-component']);
    for (const name of [
      'rsc',
      'next-router-state-tree',
      'next-router-prefetch',
      'next-router-segment-prefetch',
    ]) {
      expect(data.headers.get('vary')).toContain(name);
    }
    expect(await data.text()).not.toContain('<html');
  });
});

describe('server actions', () => {
  let fields: FormData;
  let actionId: string;
  beforeAll(async () => {
    fields = readHiddenFields(await (await fetch(`${url}/login`)).text());
    actionId = /"id":"([0-9a-f]+)"/.exec(JSON.stringify([...fields]).replaceAll('\\"', '"'))?.[1] ?? '';
  });

  const act = (id: string, origin: string) => {
    const form = new FormData();
    form.set('1_email', 'nobody@example.com');
    form.set('1_password', '');
    form.set('0', JSON.stringify([{ email: '', error: null }, '$K1']));
    return fetch(`${url}/login`, {
      method: 'POST',
      headers: { origin, accept: 'text/x-component', 'next-action': id },
      body: form,
    });
  };

  test('an action has an id of 42 digits, and answers data', async () => {
    expect(actionId).toMatch(/^[0-9a-f]{42}$/);
    const answer = await act(actionId, url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/x-component']);
    expect(await answer.text()).toContain('Enter your email address and password.');
  });

  test('a page of another origin is refused', async () => {
    const foreign = await act(actionId, 'https://elsewhere.example');
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect(await foreign.text()).not.toContain('Enter your email address');
    const form = await fetch(`${url}/login`, {
      method: 'POST',
      body: fields,
      headers: { origin: 'https://elsewhere.example' },
      redirect: 'manual',
    });
    expect(form.status).toBeGreaterThanOrEqual(400);
    expect(form.headers.getSetCookie()).toEqual([]);
  });

  test('a page of the same host under another scheme is another origin', async () => {
    const foreign = await act(actionId, url.replace(/^http:/, 'https:'));
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).not.toContain('Enter your email address');
  });

  test('the id of an earlier version is refused', async () => {
    const stale = await act(`40${'0'.repeat(40)}`, url);
    expect([404, 409]).toContain(stale.status);
  });
});
