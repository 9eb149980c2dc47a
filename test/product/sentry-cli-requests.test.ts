import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTeam, setTeamMember, setTeamProject } from '#product/teams/teams.ts';
import { MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene, TRACE } from './events-scene.ts';

/**
 * What the commands of the `sentry` CLI that read ask, as it was recorded with its version 0.44 against this API, besides
 * what the tests of tables and trace items ask. docs/api.md lists the commands.
 */
let scene: ApiScene;
beforeAll(async () => {
  scene = await openEventsScene();
});
afterAll(async () => {
  await scene?.close();
});

const ORG = 'organizations/[org]';
const ask = (path: string, query: string, params = {}) =>
  scene.answer<unknown>('GET', path, { query, params });

describe('the sentry CLI', () => {
  test.each([
    ['project list', `${ORG}/projects`, 'per_page=25'],
    ['project view', 'projects/[org]/[project]', 'collapse=organization'],
    ['team list', `${ORG}/teams`, 'per_page=25'],
    ['repo list', `${ORG}/repos`, 'per_page=25'],
    [
      'issue list',
      `${ORG}/issues`,
      'limit=25&sort=date&statsPeriod=90d&groupStatsPeriod=auto&collapse=filtered&collapse=unhandled',
    ],
    ['issue list --sort user', `${ORG}/issues`, 'limit=25&sort=user&statsPeriod=90d&groupStatsPeriod=auto'],
    [
      'issue view',
      `${ORG}/shortids/[short]`,
      'collapse=stats&collapse=lifetime&collapse=filtered&collapse=unhandled',
    ],
    ['issue events', `${ORG}/issues/[issue]/events`, 'full=false&statsPeriod=7d&per_page=25'],
    ['release list', `${ORG}/releases`, 'per_page=25&sort=date&health=1&statsPeriod=90d&status=open'],
    ['release list --sort sessions', `${ORG}/releases`, 'sort=sessions&health=1'],
    [
      'release list --environment',
      `${ORG}/releases`,
      'per_page=25&sort=date&health=1&environment=production&statsPeriod=90d&status=open',
    ],
    ['release view', `${ORG}/releases/[version]`, 'health=true&adoptionStages=true'],
    ['alert issues list', `${ORG}/workflows`, 'projectSlug=web&sortBy=-id&per_page=25'],
    ['alert metrics list', `${ORG}/detectors`, 'query=type%3Ametric_issue&sortBy=-id&per_page=25'],
    ['trace view', `${ORG}/trace/[trace]`, 'timestamp=1795748130&limit=10000&project=-1'],
    ['monitor list', `${ORG}/monitors`, 'per_page=25'],
    [
      'explore <org>/<project>',
      `${ORG}/events`,
      'dataset=errors&field=title&field=count%28%29&query=project%3Aweb',
    ],
    [
      'explore --dataset logs',
      `${ORG}/events`,
      'dataset=logs&field=title&field=count%28%29&query=project%3Aweb',
    ],
    [
      'explore --dataset replays',
      `${ORG}/replays`,
      'field=id&field=started_at&field=duration&per_page=25&sort=-started_at&statsPeriod=24h',
    ],
  ])('%s', async (_, path, query) => {
    const params = { short: 'WEB-1', issue: 'WEB-1', version: 'web@1', trace: TRACE };
    const [status, answer] = await ask(path, query, params);
    expect([status, status === 200 ? '' : answer]).toEqual([200, '']);
  });

  test.each([
    ['replay list --sort oldest', `${ORG}/replays`, 'sort=started_at', /sort must be one of -started_at/],
  ])('says why %s has no answer', async (_, path, query, reason) => {
    const [status, answer] = await ask(path, query);
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringMatching(reason)]);
  });
});

test('traces by a search for spans', async () => {
  type Traces = { data: { trace: string; breakdowns: object[] }[]; meta: object };
  const traces = async (query: string) => {
    const [status, answer] = await ask(`${ORG}/traces`, query);
    expect([status, status === 200 ? '' : answer]).toEqual([200, '']);
    return answer as Traces;
  };
  const { data } = await traces('query=span.op:db&per_page=10&sort=-timestamp&breakdownSlices=20');
  expect(data).toMatchObject([
    {
      trace: TRACE,
      numErrors: 0,
      numSpans: 6,
      matchingSpans: 3,
      project: 'web',
      name: 'GET /cart',
      rootDuration: 10,
      start: NOON_MS,
      end: NOON_MS + 5 * MINUTE_MS,
      duration: 5 * MINUTE_MS,
    },
  ]);
  expect(data[0]?.breakdowns[0]).toMatchObject({
    project: 'web',
    isRoot: true,
    sliceStart: 0,
    sliceWidth: 1,
  });
  expect((await traces('project=api&query=span.op:http.server')).data).toEqual([]);
  expect((await ask(`${ORG}/traces`, 'query=a&query=b'))[0]).toBe(400);
  expect((await ask(`${ORG}/traces`, 'sort=duration'))[0]).toBe(400);
});

test('tags of errors with their values', async () => {
  const { product, mine, web } = scene;
  await product.ingest(mine, [
    { projectId: web.id, occurredAt: NOON_MS, title: 'Tagged', tags: [['plan', 'free']] },
    {
      projectId: web.id,
      occurredAt: NOON_MS,
      title: 'Tagged',
      tags: [
        ['plan', 'paid'],
        ['shop', 'de'],
      ],
    },
  ]);
  const facets = async (query: string) => {
    const response = await scene.ask('GET', `${ORG}/events-facets`, { query });
    expect(response.status).toBe(200);
    return [await response.json(), response.headers.get('link') ?? ''] as const;
  };
  const [all] = await facets('query=title:Tagged&statsPeriod=1h');
  expect(all).toEqual([
    { key: 'project', topValues: [{ name: 'web', value: web.id, count: 2 }] },
    {
      key: 'plan',
      topValues: [
        { name: 'free', value: 'free', count: 1 },
        { name: 'paid', value: 'paid', count: 1 },
      ],
    },
    { key: 'shop', topValues: [{ name: 'de', value: 'de', count: 1 }] },
  ]);
  const [page, link] = await facets('query=title:Tagged&per_page=1&project=web');
  expect(page).toHaveLength(1);
  expect(link).toMatch(/rel="next"; results="true"; cursor="0:1:0"/);
  expect((await ask(`${ORG}/events-facets`, 'dataset=spans'))[0]).toBe(400);
});

test('members with the projects of their teams', async () => {
  const { owner, web } = scene;
  const answer = async (query: string) =>
    ((await ask(`${ORG}/users`, query))[1] as { email: string; projects: string[] }[]).map(
      ({ projects }) => projects,
    );
  expect(await answer('')).toEqual([[]]);
  const team = await createTeam(owner, { slug: 'shop', name: 'Shop' });
  await setTeamMember(owner, { team: team.slug, userId: owner.userId, isMember: true });
  await setTeamProject(owner, { team: team.slug, projectSlug: web.slug, isOwned: true });
  expect(await answer('project=web')).toEqual([['web']]);
  expect(await answer('project=api')).toEqual([]);
});
