import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provideServices } from '#product/services.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { hashOf } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import type { McpTester } from '../harness/mcp-client.ts';
import { sampleChunk, sampleProfile } from '../harness/sample-profile.ts';
import { startSentryMcpServer } from '../harness/sentry-mcp-server.ts';
import { type ServedApi, serveApi } from '../harness/serve-api.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';
import { servicesOf } from './product-services.ts';

/** Sentry's own MCP server, without a language model, over our API. It reads each answer with a schema of its own. */
let scene: ApiScene;
let api: ServedApi;
let server: McpTester;

const EVENT = 'c'.repeat(32);
const PROFILE = 'd'.repeat(32);
const PROFILER = 'e'.repeat(32);
const REPLAY = 'a'.repeat(32);
/** What is asked besides, and what Errata has not: the tool goes on without it. */
const OPTIONAL = /\/autofix\//;

beforeAll(async () => {
  scene = await openApiScene();
  scene.product.clock.nowMs = Date.now();
  const at = Date.now() - 60_000;
  const payload: NormalizedEvent = {
    event_id: EVENT,
    type: 'error',
    level: 'error',
    platform: 'node',
    timestamp: at / 1_000,
    received: at / 1_000,
    breadcrumbs: { values: [{ timestamp: at / 1_000 - 2, category: 'ui.click', message: 'buy' }] },
    request: { method: 'GET', url: 'https://shop.example/cart' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'no id',
          stacktrace: {
            frames: [
              {
                function: 'applyCoupon',
                filename: 'cart.ts',
                lineno: 84,
                in_app: true,
                context_line: 'return coupon.id;',
              },
            ],
          },
        },
      ],
    },
  };
  const event = {
    projectId: scene.web.id,
    title: 'TypeError: no id',
    groupingHash: hashOf('coupon'),
    occurredAt: at,
    release: 'web@1',
    tags: [['release', 'web@1'] as const, ['browser', 'Safari'] as const],
    user: { id: 'u1', email: 'ada@example.com', username: null, ip: null },
  };
  await scene.product.ingest(scene.mine, [
    { ...event, eventId: EVENT, payload },
    { ...event, occurredAt: at - 60_000, release: 'web@0', user: { ...event.user, id: 'u2' } },
  ]);
  const origin = { organizationId: scene.mine.id, projectId: scene.web.id, occurredAt: at };
  const key = (name: string) => blobKey(at, scene.web.id, name);
  const { blobs, telemetry } = scene.product.stores;
  await blobs.put(key('profile'), Buffer.from(JSON.stringify(sampleProfile(PROFILE))));
  await blobs.put(key('chunk'), Buffer.from(JSON.stringify(sampleChunk(PROFILER, EVENT, at / 1_000))));
  const profile = makeRow('profiles', {
    ...origin,
    profileId: PROFILE,
    blobKey: key('profile'),
    transactionName: '/cart',
    traceId: EVENT,
  });
  const chunk = makeRow('profiles', {
    ...origin,
    kind: 'profile_chunk',
    profilerId: PROFILER,
    durationMs: 240,
    blobKey: key('chunk'),
  });
  await blobs.put(key('segment'), gzipSync('[]'));
  const atUs = at * 1_000;
  await telemetry.insert(
    {
      profiles: [profile, chunk],
      spans: [
        makeRow('spans', {
          ...origin,
          traceId: EVENT,
          name: 'GET /cart',
          op: 'http.server',
          isSegment: true,
          startedAtUs: atUs,
          durationUs: 90_000,
        }),
      ],
      replaySegments: [
        makeRow('replaySegments', { ...origin, replayId: REPLAY, segmentId: 0, blobKey: key('segment') }),
      ],
      replays: [
        makeRow('replays', {
          ...origin,
          replayId: REPLAY,
          segmentId: 0,
          urls: ['https://shop.example/cart'],
          errorIds: [EVENT],
        }),
      ],
    },
    'details',
  );
  api = await serveApi();
  // As an instance without TLS calls itself.
  provideServices({ ...servicesOf(scene.product), publicUrl: api.url });
  server = await startSentryMcpServer(api.url, await scene.tokenOf(scene.owner));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await scene?.close();
});

/** A tool by its name, whether it is listed or only reached through the one that runs others. */
async function tell(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const from = api.calls.length;
  const named = { organizationSlug: scene.mine.slug, ...args };
  const text = LISTED.has(name)
    ? await server.tell(name, named)
    : await server.tell('execute_sentry_tool', { name, arguments: name === 'whoami' ? {} : named });
  const refused = api.calls.slice(from).filter(({ status }) => status >= 400);
  expect(refused.filter(({ call }) => !OPTIONAL.test(call))).toEqual([]);
  return text;
}
const LISTED = new Set([
  'find_projects',
  'update_issue',
  'search_events',
  'search_issues',
  'get_sentry_resource',
]);
const ISSUE = { issueId: 'WEB-1' };

describe('the official MCP server of Sentry', () => {
  test('knows who it works for, and where', async () => {
    expect(await tell('whoami')).toContain('"name": "A owner"');
    expect(await server.tell('find_organizations', { query: scene.mine.slug.slice(0, 6) })).toContain(
      scene.mine.slug,
    );
    expect(await server.tell('find_organizations', { query: 'nothing' })).not.toContain(scene.mine.slug);
    const found = await tell('find_projects', { query: 'we' });
    expect(found).toContain('"slug": "web"');
    expect(found).not.toContain('"slug": "api"');
    expect(await tell('find_teams')).toContain('"teams": []');
    expect(await tell('find_dsns', { projectSlug: 'web' })).toMatch(/"dsn": "http:/);
  });

  test.each([
    ['search_issues', { query: 'is:unresolved', sort: 'new', projectSlugOrId: 'web' }, /\[WEB-1\]/],
    ['search_issues', { query: 'is:unresolved', sort: 'recommended' }, /\*\*Users\*\*: 2/],
    ['get_sentry_resource', { resourceType: 'issue', resourceId: 'WEB-1' }, /→ 84 │ return coupon\.id;/],
    ['get_issue_details', ISSUE, /\*\*Occurrences\*\*: 2/],
    ['get_issue_details', { eventId: EVENT }, /# Issue WEB-1/],
    ['get_issue_details', { ...ISSUE, eventId: EVENT }, /\*\*browser\*\*: Safari/],
    ['get_event_stacktrace', { ...ISSUE, eventId: EVENT }, /Event ID\*\*: c{32}/],
    ['get_issue_activity', ISSUE, /first_seen by system/],
    ['get_issue_breadcrumbs', ISSUE, /\[ui\.click\] buy/],
    ['get_issue_tag_values', { ...ISSUE, tagKey: 'browser' }, /"value": "Safari",\s+"count": 2/],
    ['get_issue_user_reports', ISSUE, /No issue user reports/],
    ['get_event_attachment', { projectSlug: 'web', eventId: EVENT }, /No attachments/],
    ['search_issue_events', { ...ISSUE, query: 'release:web@1' }, /Found 1 error/],
    ['search_events', { dataset: 'replays', query: '' }, /a{32}/],
    ['find_alert_rules', {}, /"issueRules": \[/],
    ['find_monitors', {}, /"monitors": \[\]/],
    ['find_releases', { projectSlug: 'web' }, /"version": "web@1"/],
    ['get_release_details', { releaseVersion: 'web@1', projectSlugOrId: 'web' }, /# Release web@1/],
  ])('reads with %s %j', async (tool, args, answer) => {
    expect(await tell(tool, args)).toMatch(answer);
  });

  test('explains where the time of a profile went', async () => {
    const project = { projectSlugOrId: 'web' };
    const profile = await tell('get_profile_details', { ...project, profileId: PROFILE });
    expect(profile).toMatch(/matchRule/);
    expect(profile).toMatch(/\/cart/);
    const range = {
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 60_000).toISOString(),
    };
    const chunk = await tell('get_profile_details', { ...project, profilerId: PROFILER, ...range });
    expect(chunk).toMatch(/matchRule/);
  });

  test('reads a trace and a replay of an instance without TLS', async () => {
    const trace = await tell('get_trace_details', { traceId: EVENT });
    expect(trace).toMatch(/http\.server \[http\.server · 90ms/);
    const replay = await tell('get_replay_details', { replayId: REPLAY });
    expect(replay).toMatch(/https:\/\/shop\.example\/cart/);
  });

  test('explains where the time of a transaction went, over its profiles, and compares two periods', async () => {
    const asked = { projectSlugOrId: 'web', transactionName: '/cart', period: '24h', regionUrl: '' };
    const found = await tell('get_profile', asked);
    expect(found).toMatch(/\*\*Total Profiles\*\*: 1/);
    expect(found).toMatch(/\*\*Total Samples\*\*: 24/);
    expect(found).toMatch(/`matchRule` \| .*pricing\.ts:120/);
    expect(found).toMatch(/src\/checkout\.ts:handleCheckout:12 \[YOUR CODE\]/);
    expect(await tell('get_profile', { ...asked, focusOnUserCode: false })).toMatch(/\[library\]/);
    expect(await tell('get_profile', { ...asked, transactionName: 'GET "none"' })).toMatch(
      /No Profile Data Found/,
    );
    const compared = await tell('get_profile', { ...asked, compareAgainstPeriod: '7d' });
    expect(compared).toMatch(/# Profile Comparison: \/cart/);
    expect(compared).toMatch(/No Significant Changes/);
  });

  test('searches events, and counts them by a field', async () => {
    const rows = await tell('search_events', { dataset: 'errors', query: 'browser:Safari' });
    expect(rows).toMatch(/Found 2 errors/);
    expect(rows).toMatch(/\*\*Issue ID\*\*: WEB-1/);
    expect(rows).toMatch(/\*\*user\.email\*\*: ada@example\.com/);
    const groups = await tell('search_events', {
      dataset: 'errors',
      query: '',
      fields: ['release', 'count()', 'count_unique(user)'],
      sort: '-count()',
    });
    expect(groups).toMatch(/"release": "web@1",\s+"count\(\)": 1,\s+"count_unique\(user\)": 1/);
    expect(await tell('search_events', { query: '', fields: ['count()'], sort: '-count()' })).toMatch(
      /"count\(\)": 2/,
    );
  });

  test('searches by issue, and spans and logs', async () => {
    const issues = await tell('search_events', {
      dataset: 'errors',
      query: '',
      fields: ['issue', 'title', 'count()'],
      sort: '-count()',
    });
    expect(issues).toMatch(/"issue": "WEB-1",\s+"title": ".*",\s+"count\(\)": 2/);
    const { product, mine, web } = scene;
    const origin = { organizationId: mine.id, projectId: web.id, traceId: 'e'.repeat(32) };
    const atUs = (product.clock.nowMs - 60_000) * 1_000;
    await product.stores.telemetry.insert(
      {
        spans: [makeRow('spans', { ...origin, op: 'db', name: 'SELECT 1', startedAtUs: atUs })],
        logs: [makeRow('logs', { ...origin, body: 'cart is empty', occurredAtUs: atUs })],
      },
      'sentry-mcp',
    );
    expect(await tell('search_events', { dataset: 'spans', query: 'span.op:db' })).toMatch(/SELECT 1/);
    expect(
      await tell('search_events', {
        dataset: 'spans',
        query: '',
        fields: ['span.op', 'count()', 'p95(span.duration)'],
        sort: '-count()',
      }),
    ).toMatch(/"span\.op": "db",\s+"count\(\)": 1/);
    expect(await tell('search_events', { dataset: 'logs', query: '' })).toMatch(/cart is empty/);
  });

  test('is told where a search goes wrong', async () => {
    const search = { organizationSlug: scene.mine.slug, query: 'level:' };
    expect((await server.ask('search_issues', search)).text).toMatch(/"level:" at character 1/);
    const events = await server.ask('search_events', { ...search, fields: ['issue.id', 'p95()'] });
    expect(events.text).toMatch(/INVALID query — "level:" at character 1/);
    expect(events.text).toMatch(/INVALID p95\(\) — Name the attribute/);
    expect(events.text).toMatch(/INVALID issue\.id — /);
  });

  testInFull('comments, assigns, ignores and resolves', async () => {
    expect(await tell('add_issue_note', { ...ISSUE, text: 'Looking' })).toMatch(/\*\*Text\*\*: Looking/);
    const update = (args: object) => tell('update_issue', { ...ISSUE, ...args });
    const user = `user:${scene.owner.userId}`;
    expect(await update({ assignedTo: user })).toMatch(/\*\*Assigned To\*\*: A owner/);
    expect(await update({ status: 'ignored', ignoreMode: 'forever' })).toMatch(
      /Ignore Behavior\*\*: Forever/,
    );
    expect(await update({ status: 'unresolved' })).toMatch(/ignored → \*\*unresolved\*\*/);
    expect(await update({ status: 'ignored', ignoreMode: 'untilOccurrenceCount', ignoreCount: 5 })).toMatch(
      /5 /,
    );
    expect(await update({ status: 'resolvedInNextRelease' })).toMatch(/\*\*resolved/);
    expect(await update({ status: 'unresolved' })).toMatch(/→ \*\*unresolved\*\*/);
    expect(await update({ status: 'resolved', reason: 'Fixed' })).toMatch(/Comment posted\*\*: "Fixed"/);
    expect(await tell('search_issues', { query: 'is:unresolved' })).not.toMatch(/WEB-1/);
  });

  test('changes projects, client keys and teams', async () => {
    expect(await tell('create_team', { name: 'Checkout' })).toMatch(/"slug": "checkout"/);
    expect(await tell('update_project', { projectSlug: 'api', name: 'The API' })).toMatch(/The API/);
    expect(await tell('create_dsn', { projectSlug: 'api', name: 'Second' })).toMatch(/"name": "Second"/);
  });
});
