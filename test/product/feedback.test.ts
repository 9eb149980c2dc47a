import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { countEvents } from '#product/explore/event-groups.ts';
import { countIssueTabs } from '#product/issues/count-issue-tabs.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { getWeekOverview } from '#product/overview/get-week-overview.ts';
import { listProjectSummaries } from '#product/projects/list-project-summaries.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let project: Project;
let ctx: Awaited<ReturnType<Product['join']>>;

beforeAll(async () => {
  product = await openProduct();
  organization = await product.createOrganization();
  project = await product.createProject(organization, 'web');
  ctx = await product.join(organization, 'admin');
  await product.ingest(organization, [{ projectId: project.id }]);
  for (const message of ['The checkout is broken', 'I like the shop']) await store(message);
});
afterAll(() => product?.close());

/** As digest does with a feedback that arrives. */
async function store(message: string): Promise<void> {
  const sent = {
    event_id: newEventId(),
    timestamp: NOON_MS / 1_000,
    environment: 'production',
    contexts: { feedback: { message, name: 'Ana', contact_email: 'ana@example.com' } },
  };
  const item = {
    type: 'feedback',
    contentType: null,
    filename: null,
    attachmentType: null,
    itemCount: null,
    platform: null,
    payload: Buffer.from(JSON.stringify(sent)),
    blob: null,
    itemId: newEventId(),
    crash: null,
    head: null,
    videoParts: null,
    release: null,
    environment: null,
  };
  const { events } = digestEnvelope(
    [item],
    {
      organizationId: organization.id,
      projectId: project.id,
      keyId: 1,
      receivedAtMs: NOON_MS,
      sentAtMs: null,
      envelopeEventId: null,
      clientIp: null,
      userAgent: null,
      rules: compileIngestRules(DEFAULT_INGEST_SETTINGS),
      lookUpGeo: () => null,
    },
    () => false,
  );
  await product.stores.events.insertEvents(events, randomBytes(8).toString('hex'));
  await product.assignNext(events, { nowMs: NOON_MS });
}

const list = async (query: string) =>
  (
    await listIssues(ctx, { query, projectSlugs: [], sort: 'new', range: null, cursor: null, limit: 10 })
  ).issues.map(({ title }) => title);

test('the inbox has it, by what it says, and the issue list does not', async () => {
  expect(await list('issue.category:feedback is:unresolved')).toEqual([
    'I like the shop',
    'The checkout is broken',
  ]);
  expect(await list('issue.category:feedback checkout')).toEqual(['The checkout is broken']);
  expect(await list('issue.category:[error,feedback]')).toHaveLength(3);
  const stream = await list('is:unresolved');
  expect(stream).toHaveLength(1);
  expect(await list('issue.category:error')).toEqual(stream);
  expect(await list('!issue.category:feedback')).toEqual(stream);
  expect(await list('broken')).toEqual([]);
});

test('it counts as no issue and no error where these are counted', async () => {
  expect(await countIssueTabs(ctx, { projectSlugs: [], range: null })).toMatchObject({ unresolved: 1 });
  const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
  const { projects } = await listProjectSummaries(ctx, { range });
  expect(projects).toMatchObject([{ slug: 'web', summary: { unresolvedIssues: 1, newIssues: 1 } }]);
  const scope = { organizationId: organization.id, projectIds: [project.id] };
  const asked = { range, expression: EVERYTHING };
  expect(await countEvents(ctx, scope, asked, HOUR_MS)).toMatchObject({ events: 1 });
  product.clock.nowMs += HOUR_MS;
  const week = await getWeekOverview(ctx);
  expect(week.created.total).toBe(1);
});

test('spam is archived for good, and comes back when it is none', async () => {
  const { issues } = await listIssues(ctx, {
    query: 'issue.category:feedback checkout',
    projectSlugs: [],
    sort: 'new',
    range: null,
    cursor: null,
    limit: 10,
  });
  const issueIds = issues.map(({ id }) => id);
  await updateIssues(ctx, { issueIds, change: { status: 'archived', archive: { kind: 'forever' } } });
  expect(await list('issue.category:feedback is:unresolved')).toEqual(['I like the shop']);
  expect(await list('issue.category:feedback is:archived')).toEqual(['The checkout is broken']);
  await updateIssues(ctx, { issueIds, change: { status: 'unresolved' } });
  expect(await list('issue.category:feedback is:unresolved')).toHaveLength(2);
});
