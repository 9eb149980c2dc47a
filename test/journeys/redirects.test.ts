import { beforeAll, describe, expect, test } from 'vitest';
import { dial } from '../harness/dial.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

/** Old links of chats and mails. */
describe("Sentry's own page addresses", () => {
  let url: string;
  let slug: string;
  let shortId: string;
  let issueId: string;
  let eventId: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('moved');
    ({ url } = errata);
    ({ slug } = project);
    const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
    eventId = event.event_id;
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    const { issue } = await findEvent(api, slug, eventId);
    ({ shortId, id: issueId } = issue);
  });

  const ask = (path: string, method = 'GET') => fetch(`${url}${path}`, { method, redirect: 'manual' });

  test('answer 308 with and without a slash at the end, and keep the query', async () => {
    const pairs = [
      [`/organizations/main/issues/${issueId}/`, `/main/issues/${issueId}`],
      [
        `/organizations/main/issues/${issueId}/events/${eventId}/`,
        `/main/issues/${issueId}/events/${eventId}`,
      ],
      [`/main/${slug}/issues/${shortId}/`, `/main/issues/${shortId}`],
      [`/settings/main/projects/${slug}/keys/`, `/main/settings/projects/${slug}/keys`],
      ['/organizations/main/issues/', '/main/issues'],
      ['/organizations/main/releases/web%402.1.0/', '/main/releases/web%402.1.0'],
      ['/organizations/main/projects/', '/main/projects'],
      ['/settings/account/security/', '/account/security'],
      ['/settings/main/', '/main/settings'],
    ] as const;
    for (const [from, to] of pairs) {
      for (const path of [from, from.slice(0, -1)]) {
        const answer = await ask(`${path}?query=is%3Aunresolved&project=${slug}`);
        expect([path, answer.status]).toEqual([path, 308]);
        expect(answer.headers.get('location')).toBe(`${to}?query=is%3Aunresolved&project=${slug}`);
      }
    }
    expect((await ask('/organizations/main/issues/', 'HEAD')).status).toBe(308);
  });

  test('other methods and other addresses are left alone', async () => {
    expect((await ask('/organizations/main/issues/', 'POST')).status).not.toBe(308);
    expect((await ask(`/api/0/organizations/main/issues/`)).status).toBe(401);
    expect((await ask('/organizations//evil.example/issues/')).headers.get('location') ?? '/').toMatch(
      /^\/[^/]/,
    );
  });

  test('no answer leads to a host that the request names', async () => {
    const evil = 'evil.example';
    const { port } = new URL(url);
    const lines = [
      '/',
      '/main',
      '/login/sso',
      '/.well-known/change-password',
      '/organizations/main/issues/',
      '//evil.example/x',
      '/\\\\evil.example',
      '/main//issues',
      `http://localhost:${port}/main`,
      `http://${evil}/main`,
      `http://${evil}//x/..`,
    ];
    for (const line of lines) {
      for (const host of [evil, `localhost:${port}`]) {
        const { socket, text } = await dial(Number(port));
        socket.write(`GET ${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
        const head = await until('the head of the answer', () => text().split('\r\n\r\n')[0]);
        socket.destroy();
        const location = /^location: (.*)$/im.exec(head)?.[1]?.trim() ?? '/';
        const target = new URL(location, url);
        expect([line, host, target.host]).toEqual([line, host, new URL(url).host]);
      }
    }
  });

  test('signed out they lead to the sign-in page, which leads on to the page', async () => {
    const { headers } = await ask(`/organizations/main/issues/${shortId}/?project=${slug}`);
    const page = await ask(headers.get('location') ?? '');
    expect(page.status).toBe(307);
    const login = new URL(page.headers.get('location') ?? '', url);
    expect(login.pathname).toBe('/login');
    expect(login.searchParams.get('next')).toBe(`/main/issues/${shortId}?project=${slug}`);
  });
});
