import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiEvent, type ApiIssue, createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findCounted, findEvent } from '../harness/find-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, sharedErrata } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const ISSUES = 130;

let api: ApiClient;
let slug: string;
let dsn: string;
let issues: ApiIssue[];

beforeAll(async () => {
  ({ api, slug, dsn } = await makeProject('api'));
  for (let issue = 0; issue < ISSUES; issue++) {
    await postEnvelope(parseDsn(dsn), eventEnvelope(makeJavascriptError({ issue, bytes: 3000 })));
  }
  issues = await until(
    `${ISSUES} issues over the API`,
    async () => {
      const all = await api.list<ApiIssue>(`/api/0/projects/main/${slug}/issues/?query=`);
      return all.length >= ISSUES ? all : null;
    },
    { timeoutMs: 20_000, everyMs: 500 },
  );
});

describe('who may ask', () => {
  test('without a token the answer is 401 with the reason as JSON', async () => {
    const anonymous = createApiClient(sharedErrata().url, null);
    const answer = await anonymous.request('GET', `/api/0/projects/main/${slug}/issues/`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.body).toEqual({ detail: expect.stringMatching(/\w+/) });
  });

  test('the document that describes it is for everybody', async () => {
    const anonymous = createApiClient(sharedErrata().url, null);
    const asked = ['/api/0/openapi.json', '/api/0/openapi.json/'].map((path) =>
      anonymous.request('GET', path),
    );
    for (const { status, headers, body } of await Promise.all(asked)) {
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(body).toMatchObject({
        openapi: expect.stringMatching(/^3\.1\./),
        paths: { '/api/0/organizations/{org}/destinations/': { get: {} } },
      });
    }
  });

  test.each(['organizations/%F0%9F/', 'organizations/%00/', 'organizations/main/audit-logs/?event=%00'])(
    '%s is 400, with the reason as JSON',
    async (path) => {
      const answer = await api.request('GET', `/api/0/${path}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ detail: expect.stringMatching(/address/) });
    },
  );

  test('a made-up token is 401', async () => {
    const stranger = createApiClient(sharedErrata().url, 'sntrys_0000000000000000000000000000');
    expect((await stranger.request('GET', '/api/0/organizations/')).status).toBe(401);
  });

  test('a token that may only read cannot resolve', async () => {
    const errata = sharedErrata();
    const reader = createApiClient(errata.url, await errata.token('org:read,project:read,event:read'));
    const path = `/api/0/issues/${issues[0]?.id}/`;
    expect((await reader.request('GET', path)).status).toBe(200);
    const answer = await reader.request('PUT', path, { status: 'resolved' });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringContaining('event:write') });
  });
});

describe('lists', () => {
  test('the root, the organizations, the projects and the keys answer with and without a trailing slash', async () => {
    expect((await api.request('GET', '/api/0/')).status).toBe(200);
    for (const path of ['/api/0/organizations', '/api/0/organizations/main', '/api/0/projects']) {
      const bare = await api.request('GET', path);
      const slashed = await api.request('GET', `${path}/`);
      expect([path, bare.status, slashed.status]).toEqual([path, 200, 200]);
      expect(bare.body).toEqual(slashed.body);
    }
    const organizations = await api.get<{ slug: string }[]>('/api/0/organizations/');
    expect(organizations.map((one) => one.slug)).toEqual(['main']);
    const projects = await api.get<{ slug: string; id: string }[]>('/api/0/projects/');
    expect(projects.map((one) => one.slug)).toContain(slug);
  });

  test('the keys of a project hold its DSN', async () => {
    const keys = await api.get<{ dsn: { public: string } }[]>(`/api/0/projects/main/${slug}/keys/`);
    expect(keys.map((key) => key.dsn.public)).toEqual([dsn]);
  });

  test('following the Link header gives every issue once', () => {
    expect(new Set(issues.map((issue) => issue.id)).size).toBe(ISSUES);
    expect(issues).toHaveLength(ISSUES);
  });

  test('the Link header has both directions, with cursor and whether there is more', async () => {
    const answer = await api.request('GET', `/api/0/projects/main/${slug}/issues/?query=&limit=25`);
    const link = answer.headers.get('link') ?? '';
    expect(link).toMatch(/<[^>]+>; rel="previous"; results="false"; cursor="[^"]+"/);
    expect(link).toMatch(/<[^>]+>; rel="next"; results="true"; cursor="[^"]+"/);
    expect((answer.body as unknown[]).length).toBeLessThan(ISSUES);
  });

  test('a cursor that nobody gave out is refused', async () => {
    const answer = await api.request('GET', `/api/0/projects/main/${slug}/issues/?cursor=nonsense`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ detail: expect.stringMatching(/cursor/i) });
  });

  test('a search finds by status, level and text, and says where it is wrong', async () => {
    const search = (query: string) =>
      api.request('GET', `/api/0/projects/main/${slug}/issues/?query=${encodeURIComponent(query)}`);
    const word = /reading '(\w+)Total'/.exec(issues[3]?.title ?? '')?.[1] ?? '';
    const found = await search(`is:unresolved level:error ${word}Total`);
    expect((found.body as ApiIssue[]).map((issue) => issue.id)).toEqual([issues[3]?.id]);
    expect((await search('level:warning')).body).toEqual([]);
    const wrong = await search('is:nonsense');
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({ detail: expect.stringMatching(/nonsense/) });
  });

  test('statsPeriod cuts the list by time', async () => {
    const recent = await api.request('GET', `/api/0/projects/main/${slug}/issues/?query=&statsPeriod=1h`);
    expect((recent.body as unknown[]).length).toBeGreaterThan(0);
    const wrong = await api.request('GET', `/api/0/projects/main/${slug}/issues/?statsPeriod=soon`);
    expect(wrong.status).toBe(400);
  });
});

describe('one issue', () => {
  test('its events come newest first, and the latest is the first of them', async () => {
    const event = makeJavascriptError({ issue: 5, bytes: 5000 });
    await postEnvelope(parseDsn(dsn), eventEnvelope(event));
    const { issue } = await findEvent(api, slug, event.event_id);
    const events = await api.list<{ eventID: string }>(`/api/0/issues/${issue.id}/events/`);
    expect(events).toHaveLength(2);
    expect(events[0]?.eventID).toBe(event.event_id);
    const latest = await api.get<ApiEvent>(`/api/0/issues/${issue.id}/events/latest/`);
    expect(latest.eventID).toBe(event.event_id);
    expect(latest.previousEventID).toBe(events[1]?.eventID);
    expect(latest.nextEventID).toBeNull();
    expect(latest.entries.map((entry) => entry.type)).toEqual(
      expect.arrayContaining(['exception', 'breadcrumbs', 'request']),
    );
  });

  test('resolved, it leaves the unresolved ones; the same error again makes it regressed', async () => {
    const issue = issues[9];
    const path = `/api/0/issues/${issue?.id}/`;
    const answer = await api.request('PUT', path, { status: 'resolved' });
    expect([answer.status, (answer.body as ApiIssue).status]).toEqual([200, 'resolved']);
    const unresolved = await api.list<ApiIssue>(
      `/api/0/projects/main/${slug}/issues/?query=${encodeURIComponent('is:unresolved')}`,
    );
    expect(unresolved.map((one) => one.id)).not.toContain(issue?.id);

    const number = issueNumberOf(issue?.title ?? '');
    const event = makeJavascriptError({ issue: number, bytes: 3000 });
    await postEnvelope(parseDsn(dsn), eventEnvelope(event));
    const again = await findEvent(api, slug, event.event_id);
    expect(again.issue.id).toBe(issue?.id);
    // An event can be read a moment before its issue changes.
    await until('the regression', async () => {
      const { status, substatus } = await api.get<ApiIssue>(path);
      return status === 'unresolved' && substatus === 'regressed';
    });
    await findCounted(api, again.issue.id, Number((answer.body as ApiIssue).count) + 1);
  });

  test('is found by its short id and by its number', async () => {
    const issue = issues[0];
    const byShortId = await api
      .get<ApiIssue>(`/api/0/organizations/main/issues/${issue?.shortId}/`)
      .catch(() => null);
    const byNumber = await api.get<ApiIssue>(`/api/0/issues/${issue?.id}/`);
    expect(byNumber.shortId).toBe(issue?.shortId);
    if (byShortId) expect(byShortId.id).toBe(issue?.id);
  });

  test('what cannot be is refused with the reason: status, issue, event, project, method', async () => {
    const path = `/api/0/issues/${issues[0]?.id}/`;
    const cases: [string, string, unknown, number][] = [
      ['PUT', path, { status: 'finished' }, 400],
      ['GET', '/api/0/issues/999999999/', undefined, 404],
      ['GET', `/api/0/projects/main/${slug}/events/${newEventId()}/`, undefined, 404],
      ['GET', '/api/0/projects/main/no-such-project/issues/', undefined, 404],
      ['GET', '/api/0/projects/another/no-such-project/issues/', undefined, 404],
      ['GET', '/api/0/nothing-of-this-name/', undefined, 404],
    ];
    for (const [method, target, body, status] of cases) {
      const answer = await api.request(method, target, body);
      expect([method, target, answer.status]).toEqual([method, target, status]);
      expect(answer.body).toEqual({ detail: expect.stringMatching(/\w+/) });
    }
  });

  test('a body that is no JSON is 400', async () => {
    const errata = sharedErrata();
    const response = await fetch(`${errata.url}/api/0/issues/${issues[0]?.id}/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await errata.token()}`, 'content-type': 'application/json' },
      body: '{"status": ',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/JSON/) });
  });
});

/** The number that the sample's words were made of. */
function issueNumberOf(title: string): number {
  const word = /cart([a-z]{3})Total/.exec(title)?.[1];
  if (!word) throw new Error(`"${title}" is not of a sample`);
  return [...word].reduce((sum, letter, index) => sum + (letter.charCodeAt(0) - 97) * 26 ** index, 0);
}
