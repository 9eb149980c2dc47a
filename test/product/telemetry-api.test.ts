import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { CONTENT, ids, openFilledProduct } from './fill-telemetry.ts';
import type { Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const issueFeedbackRoute = apiRoute('issues/[issue]/user-feedback');
const orgIssueFeedbackRoute = apiRoute('organizations/[org]/issues/[issue]/user-feedback');
const checkInsRoute = apiRoute('organizations/[org]/monitors/[monitor]/checkins');
const monitorRoute = apiRoute('organizations/[org]/monitors/[monitor]');
const monitorsRoute = apiRoute('organizations/[org]/monitors');
const orgReplayRoute = apiRoute('organizations/[org]/replays/[replay]');
const orgReplaysRoute = apiRoute('organizations/[org]/replays');
const healthRoute = apiRoute('organizations/[org]/sessions');
const traceRoute = apiRoute('organizations/[org]/traces/[trace]');
const attachmentsRoute = apiRoute('projects/[org]/[project]/attachments');
const projectCheckInsRoute = apiRoute('projects/[org]/[project]/check-ins');
const attachmentRoute = apiRoute('projects/[org]/[project]/events/[event]/attachments/[attachment]');
const eventAttachmentsRoute = apiRoute('projects/[org]/[project]/events/[event]/attachments');
const eventRoute = apiRoute('projects/[org]/[project]/events/[event]');
const logsRoute = apiRoute('projects/[org]/[project]/logs');
const metricsRoute = apiRoute('projects/[org]/[project]/metrics');
const profileRoute = apiRoute('projects/[org]/[project]/profiles/[profile]');
const profilesRoute = apiRoute('projects/[org]/[project]/profiles');
const segmentRoute = apiRoute('projects/[org]/[project]/replays/[replay]/recording-segments/[segment]');
const segmentsRoute = apiRoute('projects/[org]/[project]/replays/[replay]/recording-segments');
const replayRoute = apiRoute('projects/[org]/[project]/replays/[replay]');
const replaysRoute = apiRoute('projects/[org]/[project]/replays');
const sessionsRoute = apiRoute('projects/[org]/[project]/sessions');
const spansRoute = apiRoute('projects/[org]/[project]/spans');
const transactionRoute = apiRoute('projects/[org]/[project]/transactions/[event]');
const transactionsRoute = apiRoute('projects/[org]/[project]/transactions');
const feedbackRoute = apiRoute('projects/[org]/[project]/user-feedback');

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
type Params = Readonly<Record<string, string>>;

let product: Product;
let mine: Organization;
let web: Project;
let error: DigestedEvent;
let issue: Issue;
let token: Params;
let strangersToken: Params;
let blindToken: Params;

beforeAll(async () => {
  const filled = await openFilledProduct();
  ({ product, mine, web, error, issue } = filled);
  provideServices(servicesOf(product));
  token = await tokenOf(filled.member, ['event:read']);
  strangersToken = await tokenOf(filled.stranger, ['event:read']);
  blindToken = await tokenOf(filled.member, ['project:read', 'org:read']);
});
afterAll(async () => {
  await product?.close();
});

async function tokenOf(ctx: Context & { userId: string }, scopes: readonly string[]): Promise<Params> {
  const created = await createToken(ctx, { name: 'Test', scopes, expiresAt: null });
  return { authorization: `Bearer ${created.token}` };
}

const project = () => ({ org: mine.slug, project: 'web' });
const organization = () => ({ org: mine.slug });

async function call(
  route: { GET: unknown },
  params: Params,
  options: { query?: string; headers?: Params } = {},
): Promise<Response> {
  const request = new Request(`http://127.0.0.1:1/api/0/x/${options.query ?? ''}`, {
    headers: options.headers ?? token,
  });
  return (route.GET as Handler)(request, { params: Promise.resolve(params as never) });
}

const body = async (route: { GET: unknown }, params: Params, query = '') => {
  const answer = await call(route, params, { query });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return JSON.parse(text);
};

describe('the API', () => {
  const routes: readonly [string, { GET: unknown }, () => Params][] = [
    ['transactions', transactionsRoute, project],
    ['a transaction', transactionRoute, () => ({ ...project(), event: ids.transaction })],
    ['a transaction as an event', eventRoute, () => ({ ...project(), event: ids.transaction })],
    ['spans', spansRoute, project],
    ['logs', logsRoute, project],
    ['metrics', metricsRoute, project],
    ['sessions', sessionsRoute, project],
    ['check-ins', projectCheckInsRoute, project],
    ['user feedback', feedbackRoute, project],
    ['attachments', attachmentsRoute, project],
    ['attachments of an event', eventAttachmentsRoute, () => ({ ...project(), event: error.eventId })],
    [
      'an attachment',
      attachmentRoute,
      () => ({ ...project(), event: error.eventId, attachment: ids.attachment }),
    ],
    ['replays', replaysRoute, project],
    ['a replay', replayRoute, () => ({ ...project(), replay: ids.replay })],
    ['segments', segmentsRoute, () => ({ ...project(), replay: ids.replay })],
    ['a segment', segmentRoute, () => ({ ...project(), replay: ids.replay, segment: '3' })],
    ['profiles', profilesRoute, project],
    ['a profile', profileRoute, () => ({ ...project(), profile: ids.profile })],
    ['a trace', traceRoute, () => ({ ...organization(), trace: ids.trace })],
    ['monitors', monitorsRoute, organization],
    ['a monitor', monitorRoute, () => ({ ...organization(), monitor: 'nightly' })],
    ['check-ins of a monitor', checkInsRoute, () => ({ ...organization(), monitor: 'nightly' })],
    ['replays of an organization', orgReplaysRoute, organization],
    ['a replay of an organization', orgReplayRoute, () => ({ ...organization(), replay: ids.replay })],
    ['release health', healthRoute, organization],
    ['feedback of an issue', issueFeedbackRoute, () => ({ issue: String(issue.id) })],
    [
      'feedback of an issue by organization',
      orgIssueFeedbackRoute,
      () => ({ ...organization(), issue: 'WEB-1' }),
    ],
  ];

  test.each(routes)(
    '%s: 200 for the organization, 404 for others, 403 without event:read',
    async (_, route, params) => {
      expect((await call(route, params())).status).toBe(200);
      expect((await call(route, params(), { headers: strangersToken })).status).toBe(404);
      const blind = await call(route, params(), { headers: blindToken });
      expect([blind.status, await blind.json()]).toEqual([
        403,
        { detail: expect.stringContaining('event:read') },
      ]);
      expect((await call(route, params(), { headers: {} })).status).toBe(401);
    },
  );

  test('what is not there is 404, in the own project too', async () => {
    for (const id of [newEventId(), 'nonsense', '0'.repeat(32)]) {
      for (const [route, params] of [
        [transactionRoute, { ...project(), event: id }],
        [eventRoute, { ...project(), event: id }],
        [attachmentRoute, { ...project(), event: error.eventId, attachment: id }],
        [attachmentRoute, { ...project(), event: id, attachment: ids.attachment }],
        [replayRoute, { ...project(), replay: id }],
        [segmentsRoute, { ...project(), replay: id }],
        [segmentRoute, { ...project(), replay: ids.replay, segment: '4' }],
        [profileRoute, { ...project(), profile: id }],
        [traceRoute, { ...organization(), trace: id }],
        [monitorRoute, { ...organization(), monitor: id }],
        [checkInsRoute, { ...organization(), monitor: id }],
        [transactionsRoute, { ...project(), project: 'nothing' }],
      ] as const) {
        expect((await call(route, params)).status, JSON.stringify(params)).toBe(404);
      }
    }
    expect(await body(eventAttachmentsRoute, { ...project(), event: newEventId() })).toEqual([]);
  });

  test('a transaction is answered as an event of its own type, with its spans', async () => {
    const event = await body(eventRoute, { ...project(), event: ids.transaction.toUpperCase() });
    expect(event).toMatchObject({
      id: ids.transaction,
      type: 'transaction',
      groupID: null,
      title: '/checkout',
      startTimestamp: NOON_MS / 1_000,
      endTimestamp: NOON_MS / 1_000 + 0.25,
      measurements: { lcp: 1_234.5 },
      contexts: { trace: { trace_id: ids.trace } },
    });
    expect(event.entries.map((entry: { type: string }) => entry.type)).toEqual(['spans', 'request']);
    expect(event.entries[0].data).toMatchObject([
      { parent_span_id: ids.root, op: 'db', description: 'SELECT 1' },
    ]);
    expect(event).toEqual(await body(transactionRoute, { ...project(), event: ids.transaction }));
    expect(await body(eventRoute, { ...project(), event: error.eventId })).toMatchObject({ type: 'error' });
  });

  test('a trace has its spans as a flat list and its errors with their issue', async () => {
    const trace = await body(traceRoute, { ...organization(), trace: ids.trace });
    expect(trace).toMatchObject({
      traceId: ids.trace,
      startTimestamp: NOON_MS / 1_000,
      endTimestamp: NOON_MS / 1_000 + 0.0015,
      spans: [
        { spanId: ids.root, parentSpanId: null, projectSlug: 'web' },
        { parentSpanId: ids.root, durationMs: 0.25 },
      ],
      hasMoreSpans: false,
      errors: [{ eventID: error.eventId, groupID: String(issue.id), projectSlug: 'web' }],
      hasMoreErrors: false,
    });
  });

  test('lists have pages, ranges and the filters that they say, and refuse others', async () => {
    const first = await call(transactionsRoute, project(), { query: '?limit=1' });
    expect(await first.json()).toMatchObject([{ id: ids.transaction }]);
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await call(transactionsRoute, project(), { query: `?limit=1&cursor=${cursor}` });
    expect(await second.json()).toMatchObject([{ title: '/older' }]);
    expect(second.headers.get('link')).toContain('rel="next"; results="false"');
    const titles = async (query: string) =>
      (await body(transactionsRoute, project(), query)).map((row: { title: string }) => row.title);
    expect(await titles(`?traceId=${ids.trace}`)).toEqual(['/checkout']);
    expect(await titles('?environment=production')).toEqual(['/checkout']);
    expect(await titles('?name=%2Folder&release=')).toEqual(['/older']);
    expect(await titles('?statsPeriod=60s')).toEqual(['/checkout']);
    expect(await body(logsRoute, project(), '?level=warn')).toEqual([]);
    expect(await body(logsRoute, project())).toMatchObject([{ timestamp: '2026-03-01T12:00:00.123456Z' }]);
    for (const query of ['?traceId=nonsense', '?level=info', '?query=x', '?cursor=nonsense', '?limit=0']) {
      expect((await call(transactionsRoute, project(), { query })).status, query).toBe(400);
    }
    for (const [route, query] of [
      [projectCheckInsRoute, '?traceId=x'],
      [feedbackRoute, '?query=x'],
      [orgReplaysRoute, '?query=click.tag:button'],
      [orgReplaysRoute, '?sort=started_at'],
      [healthRoute, '?groupBy=dist'],
      [healthRoute, '?field=p42(session.duration)'],
      [healthRoute, '?field=count_unique(user)&groupBy=session.status'],
      [healthRoute, '?query=dist:1'],
      [healthRoute, '?orderBy=-nothing'],
      [healthRoute, '?interval=soon'],
      [segmentRoute, ''],
    ] as const) {
      const params = { ...project(), replay: ids.replay, segment: 'first' };
      expect((await call(route, params, { query })).status, query).toBe(400);
    }
  });

  test('a download is what was sent, and nothing that a browser runs', async () => {
    const answer = await call(
      attachmentRoute,
      { ...project(), event: error.eventId, attachment: ids.attachment },
      { query: '?download=1' },
    );
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(CONTENT.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="seite _1_.html"/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(CONTENT);
    for (const [route, params] of [
      [segmentRoute, { ...project(), replay: ids.replay, segment: '3' }],
      [profileRoute, { ...project(), profile: ids.profile }],
    ] as const) {
      const other = await call(route, params, { query: '?download' });
      expect(other.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(Buffer.from(await other.arrayBuffer())).toEqual(CONTENT);
      expect((await call(route, params, { query: '?download=1', headers: strangersToken })).status).toBe(404);
    }
  });

  test('the content of an attachment may be gone while its row is there', async () => {
    const params = { ...project(), event: error.eventId, attachment: ids.gone };
    expect(await body(attachmentRoute, params)).toMatchObject({ id: ids.gone, name: 'z.txt' });
    const answer = await call(attachmentRoute, params, { query: '?download=1' });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { detail: expect.stringContaining('retention') },
    ]);
  });

  test('monitors and check-ins are told as their updates say', async () => {
    expect(await body(monitorsRoute, organization(), '?project=web')).toMatchObject([
      {
        slug: 'nightly',
        config: {
          schedule_type: 'crontab',
          schedule: '0 3 * * *',
          timezone: 'Europe/Vienna',
          max_runtime: 30,
        },
        project: { slug: 'web' },
        environments: [{ name: 'production', status: 'error', lastCheckIn: '2026-03-01T12:00:02.000Z' }],
      },
    ]);
    const checkIns = [
      { id: ids.checkIn, status: 'error', duration: 2_000, dateCreated: '2026-03-01T12:00:00.000Z' },
    ];
    expect(await body(checkInsRoute, { ...organization(), monitor: 'nightly' })).toMatchObject(checkIns);
    expect(await body(projectCheckInsRoute, project(), '?monitorSlug=nightly')).toMatchObject(checkIns);
    expect(await body(projectCheckInsRoute, project(), '?monitorSlug=other')).toEqual([]);
  });

  test('release health says which share of sessions and users had no crash', async () => {
    const { groups } = await body(healthRoute, organization());
    expect(groups).toMatchObject([
      {
        by: { project: web.id, projectSlug: 'web', release: 'web@1.0.0' },
        totals: {
          'sum(session)': 2,
          'count_unique(user)': 1,
          'crash_free_rate(session)': 0.5,
          'crash_free_rate(user)': 1,
        },
      },
      {
        by: { release: 'web@0.9.0' },
        totals: { 'crash_free_rate(session)': 1, 'crash_free_rate(user)': null },
      },
    ]);
    expect((await body(healthRoute, organization(), '?environment=nowhere')).groups).toEqual([]);
  });

  test('feedback names the error and its issue', async () => {
    const all = await body(feedbackRoute, project());
    expect(all).toMatchObject([
      {
        eventID: error.eventId,
        name: 'Ada',
        email: 'ada@example.com',
        comments: 'The button does nothing',
        issue: { shortId: 'WEB-1' },
      },
      { eventID: null, event: null, issue: null },
    ]);
    expect(await body(issueFeedbackRoute, { issue: 'WEB-1' })).toEqual([all[0]]);
  });

  test('replays are told as their segments say', async () => {
    const { data } = await body(orgReplaysRoute, organization());
    expect(data).toMatchObject([
      {
        id: ids.replay,
        project_id: String(web.id),
        duration: 5,
        count_segments: 1,
        error_ids: [error.eventId],
      },
    ]);
    expect(await body(replaysRoute, project())).toEqual(data);
    expect(await body(segmentsRoute, { ...project(), replay: ids.replay })).toMatchObject([
      { replayId: ids.replay, segmentId: 3, size: 9 },
    ]);
  });
});
