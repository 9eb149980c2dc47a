import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { countEvents } from '#product/explore/event-groups.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { resolveMonitorIssue } from '#product/monitor-issues/resolve-monitor-issue.ts';
import type { MonitorFailure, MonitorIssueType } from '#protocol/monitor-issue.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';
import { takeInFailures } from './take-in-failures.ts';

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
});
afterAll(() => product?.close());

const failure = (type: MonitorIssueType, atMs: number): MonitorFailure => ({
  type,
  organizationId: organization.id,
  projectId: project.id,
  eventId: newEventId(),
  fingerprint: [type, '7', 'production'],
  title: `Failure of ${type}`,
  level: 'error',
  at: atMs,
  environment: 'production',
  traceId: null,
  tags: [],
  evidence: { reason: 'It did not answer', facts: [], monitorPath: 'monitors/crons/nightly' },
});

const list = async (query: string) =>
  (
    await listIssues(ctx, { query, projectSlugs: [], sort: 'new', range: null, cursor: null, limit: 10 })
  ).issues.map(({ title, status }) => [title, status]);

test('what the jobs role tells is an issue of its category in the list, and no error in counts', async () => {
  await product.stores.monitorFailures.tell([
    failure('monitor_check_in_failure', NOON_MS),
    failure('uptime_domain_failure', NOON_MS),
  ]);
  expect(await takeInFailures(product)).toHaveLength(2);
  const cron = ['Failure of monitor_check_in_failure', 'unresolved'];
  const uptime = ['Failure of uptime_domain_failure', 'unresolved'];
  expect(await list('is:unresolved')).toHaveLength(3);
  expect(await list('issue.category:cron')).toEqual([cron]);
  expect(await list('issue.category:uptime')).toEqual([uptime]);
  expect(await list('issue.type:uptime_domain_failure')).toEqual([uptime]);
  expect(await list('issue.category:outage')).toHaveLength(2);
  expect(await list('issue.category:error')).toHaveLength(1);
  const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
  const scope = { organizationId: organization.id, projectIds: [project.id] };
  expect(await countEvents(ctx, scope, { range, expression: EVERYTHING }, HOUR_MS)).toMatchObject({
    events: 1,
  });
});

test('a recovery resolves it once its failure was digested, and the next failure brings it back', async () => {
  const atMs = NOON_MS + MINUTE_MS;
  const monitor = {
    organizationId: organization.id,
    projectId: project.id,
    fingerprint: ['monitor_check_in_failure', '7', 'production'],
  };
  const recover = (failedAtMs: number) =>
    resolveMonitorIssue(product.stores, { ...monitor, failedAtMs }, failedAtMs + MINUTE_MS);
  // The second failure still waits: resolved now, it would come back as soon as digest takes that in.
  await product.stores.monitorFailures.tell([failure('monitor_check_in_failure', atMs)]);
  expect(await recover(atMs)).toBe(false);
  await takeInFailures(product);
  expect(await recover(atMs)).toBe(true);
  expect(await list('issue.category:cron')).toEqual([['Failure of monitor_check_in_failure', 'resolved']]);
  expect(await recover(atMs)).toBe(true);

  product.clock.nowMs += HOUR_MS;
  await product.stores.monitorFailures.tell([failure('monitor_check_in_failure', NOON_MS + HOUR_MS)]);
  await takeInFailures(product);
  expect(await list('issue.category:cron')).toEqual([['Failure of monitor_check_in_failure', 'unresolved']]);
});
