import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALERT_SCOPES,
  ARRIVAL_MS_MAX,
  addRule,
  type OpenDestination,
  openDestination,
} from '../../harness/alert-destinations.ts';
import { type ApiClient, type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const CONDITIONS = 'sentry.rules.conditions';
const FILTERS = 'sentry.rules.filters';
const EVERY = [{ id: `${CONDITIONS}.every_event.EveryEventCondition` }];
const NEW = [{ id: `${CONDITIONS}.first_seen_event.FirstSeenEventCondition` }];

type Part = { id: string; [field: string]: unknown };
/** Filters that the new issue fits, and the same ones that it does not. */
const PAIRS: Readonly<Record<string, readonly [fitting: Part, other: Part]>> = {
  level: [
    { id: `${FILTERS}.level.LevelFilter`, match: 'gte', level: '40' },
    { id: `${FILTERS}.level.LevelFilter`, match: 'eq', level: '50' },
  ],
  tag: [
    { id: `${FILTERS}.tagged_event.TaggedEventFilter`, key: 'region', match: 'sw', value: 'EU' },
    { id: `${FILTERS}.tagged_event.TaggedEventFilter`, key: 'region', match: 'ns', value: '' },
  ],
  attribute: [
    {
      id: `${FILTERS}.event_attribute.EventAttributeFilter`,
      attribute: 'exception.type',
      match: 'eq',
      value: 'RuleError',
    },
    {
      id: `${FILTERS}.event_attribute.EventAttributeFilter`,
      attribute: 'http.url',
      match: 'co',
      value: 'example',
    },
  ],
  latestRelease: [
    { id: `${FILTERS}.latest_release.LatestReleaseFilter` },
    { id: `${FILTERS}.event_attribute.EventAttributeFilter`, attribute: 'message', match: 'eq', value: 'no' },
  ],
  age: [
    { id: `${FILTERS}.age_comparison.AgeComparisonFilter`, comparison_type: 'newer', value: 1, time: 'day' },
    { id: `${FILTERS}.age_comparison.AgeComparisonFilter`, comparison_type: 'older', value: 1, time: 'day' },
  ],
  timesSeen: [
    { id: `${FILTERS}.issue_occurrences.IssueOccurrencesFilter`, value: 1 },
    { id: `${FILTERS}.issue_occurrences.IssueOccurrencesFilter`, value: 1_000 },
  ],
  assigned: [
    { id: `${FILTERS}.assigned_to.AssignedToFilter`, targetType: 'Unassigned' },
    { id: `${FILTERS}.assigned_to.AssignedToFilter`, targetType: 'Team', targetIdentifier: 0 },
  ],
  category: [
    { id: `${FILTERS}.issue_category.IssueCategoryFilter`, value: '1' },
    { id: `${FILTERS}.issue_category.IssueCategoryFilter`, value: '6' },
  ],
  priority: [
    { id: `${FILTERS}.issue_priority.IssuePriorityFilter`, value: '75' },
    { id: `${FILTERS}.level.LevelFilter`, match: 'lte', level: '30' },
  ],
  eventsInWindow: [
    { id: `${CONDITIONS}.event_frequency.EventFrequencyCondition`, value: 0, interval: '1h' },
    { id: `${CONDITIONS}.event_frequency.EventFrequencyCondition`, value: 100, interval: '1h' },
  ],
  usersInWindow: [
    { id: `${CONDITIONS}.event_frequency.EventUniqueUserFrequencyCondition`, value: 0, interval: '1d' },
    { id: `${CONDITIONS}.event_frequency.EventUniqueUserFrequencyCondition`, value: 1, interval: '1d' },
  ],
};

let api: ApiClient;
let slug: string;
let dsn: ReturnType<typeof parseDsn>;
let teamId: string;
const opened: OpenDestination[] = [];
/** Of the rules that the issue does not fit. */
let never: OpenDestination;

beforeAll(async () => {
  const made = await makeProject('rules');
  slug = made.slug;
  dsn = parseDsn(made.dsn);
  api = createApiClient(made.errata.url, await made.errata.token(`${ALERT_SCOPES},team:write`));
  const team = await api.request('POST', '/api/0/organizations/main/teams/', { slug: `${slug}-team` });
  teamId = (team.body as { id: string }).id;
});
afterAll(async () => {
  for (const { id, service } of opened) {
    await service.close();
    await api.request('DELETE', `/api/0/organizations/main/destinations/${id}/`);
  }
});

const open = async (): Promise<OpenDestination> => {
  const destination = await openDestination(api, 'webhook');
  opened.push(destination);
  return destination;
};

/** Answers when. */
const send = async (): Promise<number> => {
  const event = {
    event_id: newEventId(),
    timestamp: Date.now() / 1_000,
    platform: 'python',
    level: 'error',
    environment: 'production',
    release: 'shop@9.0.0',
    tags: { region: 'eu-west' },
    user: { id: '1' },
    fingerprint: ['one'],
    exception: { values: [{ type: 'RuleError', value: 'of the rules' }] },
  };
  const sentAt = Date.now();
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  return sentAt;
};

async function expectMessage({ service }: OpenDestination, sentAt: number, name: string): Promise<void> {
  const { problems, atMs } = await service.next();
  expect([name, problems, atMs - sentAt < ARRIVAL_MS_MAX]).toEqual([name, [], true]);
}

const theIssue = async (): Promise<ApiIssue> =>
  until(
    'the issue',
    async () => (await api.get<ApiIssue[]>(`/api/0/projects/main/${slug}/issues/?query=`))[0] ?? null,
  );

test('every filter of a new issue lets through what fits, and only that', async () => {
  never = await open();
  const fitting = [];
  for (const [name, [fits, other]] of Object.entries(PAIRS)) {
    const misfit = other.targetIdentifier === 0 ? { ...other, targetIdentifier: teamId } : other;
    const destination = await open();
    await addRule(api, slug, [destination.id], { name, conditions: NEW, filters: [fits] });
    await addRule(api, slug, [never.id], { name: `not ${name}`, conditions: NEW, filters: [misfit] });
    fitting.push({ name, destination });
  }
  const elsewhere = await open();
  await addRule(api, slug, [elsewhere.id], { name: 'environment', environment: 'production' });
  await addRule(api, slug, [never.id], { name: 'not environment', environment: 'staging' });
  const sentAt = await send();
  for (const { name, destination } of [...fitting, { name: 'environment', destination: elsewhere }]) {
    await expectMessage(destination, sentAt, name);
  }
  expect(never.service.received).toEqual([]);
});

test('a regression, an escalation and each event; nothing of a rule that is snoozed', async () => {
  const [regression, escalation, each, quiet] = [await open(), await open(), await open(), await open()];
  const condition = (id: string) => [{ id: `${CONDITIONS}.${id}` }];
  const ofRegressions = { conditions: condition('regression_event.RegressionEventCondition') };
  await addRule(api, slug, [regression.id], ofRegressions);
  const snoozed = await addRule(api, slug, [quiet.id], ofRegressions);
  const snooze = `/api/0/projects/main/${slug}/rules/${snoozed}/snooze/`;
  expect(await api.request('POST', snooze, { target: 'everyone' })).toMatchObject({ status: 201 });
  await addRule(api, slug, [escalation.id], {
    conditions: condition('reappeared_event.ReappearedEventCondition'),
  });
  await addRule(api, slug, [each.id], { conditions: EVERY });
  const { id } = await theIssue();
  const change = async (body: object) =>
    expect((await api.request('PUT', `/api/0/issues/${id}/`, body)).status).toBe(200);

  await change({ status: 'resolved' });
  await expectMessage(regression, await send(), 'regression');
  // Digest reads its rules again every two seconds: until then events pass a new one by.
  const message = await until('a message of each event', async () => {
    const sentAt = await send();
    const { atMs } = await each.service.next(() => true, 1_000).catch(() => ({ atMs: null }));
    return atMs === null ? null : { sentAt, atMs };
  });
  expect(message.atMs - message.sentAt).toBeLessThan(ARRIVAL_MS_MAX);
  await change({ status: 'ignored', statusDetails: { ignoreCount: 1 } });
  await expectMessage(escalation, await send(), 'escalation');
  // Messages of what came later are there.
  expect(quiet.service.received).toEqual([]);
  expect((await api.request('DELETE', snooze)).status).toBe(204);
  await change({ status: 'resolved' });
  await expectMessage(quiet, await send(), 'awake');
  expect([regression.service.received.length, each.service.received.length]).toEqual([1, 1]);
  expect(never.service.received).toEqual([]);
});

/** It is looked at once a minute, by a queue that looks for what is due twice a minute. */
const METRIC_MS_MAX = 120_000;

test(
  'a metric, by the events of the hour',
  async () => {
    const destination = await open();
    const made = await api.request('POST', '/api/0/organizations/main/alert-rules/', {
      name: 'Errors',
      projects: [slug],
      aggregate: 'count()',
      query: 'error.type:RuleError',
      timeWindow: 60,
      thresholdType: 0,
      triggers: [
        {
          label: 'critical',
          alertThreshold: 0,
          actions: [{ type: 'sentry_app', integrationId: destination.id }],
        },
      ],
    });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    await send();
    const { problems, body } = await destination.service.next(() => true, METRIC_MS_MAX);
    expect([problems, body.action]).toEqual([[], 'critical']);
  },
  METRIC_MS_MAX + 30_000,
);
