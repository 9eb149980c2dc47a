import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { createAlertRule } from '#product/alerts/change-alert-rules.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';

const RULES = 'projects/[org]/[project]/rules';
const RULE = `${RULES}/[rule]`;
const METRICS = 'organizations/[org]/alert-rules';
const METRIC = `${METRICS}/[rule]`;
const CONDITIONS = 'sentry.rules.conditions';
const FILTERS = 'sentry.rules.filters';
const FIRST_SEEN = { id: `${CONDITIONS}.first_seen_event.FirstSeenEventCondition` };
const REGRESSION = { id: `${CONDITIONS}.regression_event.RegressionEventCondition` };
const FREQUENCY = {
  id: `${CONDITIONS}.event_frequency.EventFrequencyCondition`,
  interval: '1h',
  value: 100,
};
const MAIL_OWNERS = {
  id: 'sentry.mail.actions.NotifyEmailAction',
  targetType: 'IssueOwners',
  targetIdentifier: '',
  fallthroughType: 'ActiveMembers',
};

type Part = { id: string; name?: string };
type Rule = {
  id: string;
  name: string;
  conditions: Part[];
  filters: Part[];
  actions: Part[];
  actionMatch: string;
  frequency: number;
  snooze: boolean;
};

let scene: ApiScene;
let slackId: number;
let teamId: number;
beforeAll(async () => {
  scene = await openApiScene();
  const { stores } = scene.product;
  const slack = { kind: 'slack', name: 'Shop', config: {}, secret: {} } as const;
  slackId = (await stores.destinations.add(scene.mine.id, slack, null, NOON_MS)).id;
  teamId = (await stores.teams.create(scene.mine.id, { slug: 'pay', name: 'Pay' })).id;
});
afterAll(async () => {
  await scene?.close();
});

const create = async (body: object): Promise<Rule> => {
  const [status, rule] = await scene.answer<Rule>('POST', RULES, {
    json: { name: 'A rule', conditions: [FIRST_SEEN], actions: [MAIL_OWNERS], ...body },
  });
  expect([status, rule]).toEqual([201, expect.anything()]);
  return rule;
};
const refused = async (path: string, json: object): Promise<string> => {
  const [status, body] = await scene.answer<{ detail: string }>('POST', path, { json });
  expect(status).toBe(400);
  return body.detail;
};
const stored = async ({ id }: { id: string }) =>
  (await scene.product.stores.alertRules.find(scene.mine.id, Number(id)))!.definition;

describe('rules of issues', () => {
  test('a rule is answered as Sentry answers it', async () => {
    const rule = await create({
      filters: [
        {
          id: `${FILTERS}.age_comparison.AgeComparisonFilter`,
          comparison_type: 'older',
          value: 4,
          time: 'week',
        },
      ],
      actions: [
        MAIL_OWNERS,
        { id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction', workspace: slackId },
      ],
      frequency: 1440,
      owner: `team:${teamId}`,
      environment: 'production',
    });
    expect(rule).toEqual({
      id: expect.stringMatching(/^\d+$/),
      conditions: [{ ...FIRST_SEEN, name: 'A new issue is created' }],
      filters: [
        {
          id: `${FILTERS}.age_comparison.AgeComparisonFilter`,
          comparison_type: 'older',
          value: 4,
          time: 'week',
          name: 'The issue is older than 4 weeks',
        },
      ],
      actions: [
        { ...MAIL_OWNERS, name: 'Issue owners, or project members if there are no owners' },
        {
          id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction',
          workspace: String(slackId),
          name: 'Shop',
        },
      ],
      actionMatch: 'any',
      filterMatch: 'all',
      frequency: 1440,
      name: 'A rule',
      dateCreated: new Date(NOON_MS).toISOString(),
      owner: `team:${teamId}`,
      createdBy: { id: scene.owner.userId, name: 'A owner', email: scene.owner.email },
      environment: 'production',
      projects: ['web'],
      status: 'active',
      lastTriggered: null,
      snooze: false,
      snoozeForEveryone: false,
      snoozeUntil: null,
    });
    const [, same] = await scene.answer('GET', RULE, { params: { rule: rule.id } });
    expect(same).toEqual(rule);
    const [, list] = await scene.answer<Rule[]>('GET', RULES);
    expect(list).toContainEqual(rule);
  });

  test('every filter comes back as it was sent', async () => {
    const filters: AlertFilter[] = [
      { kind: 'level', match: 'at_least', level: 'error' },
      { kind: 'tag', key: 'browser', match: 'is_not_one_of', value: 'a,b' },
      { kind: 'attribute', attribute: 'http.url', match: 'starts_with', value: 'https' },
      { kind: 'latest_release' },
      { kind: 'age', compare: 'newer', minutes: 90 },
      { kind: 'times_seen', atLeast: 10 },
      { kind: 'assigned', to: { kind: 'nobody' } },
      { kind: 'assigned', to: { kind: 'user', userId: scene.owner.userId } },
      { kind: 'assigned', to: { kind: 'team', teamId } },
      { kind: 'category', category: 'feedback' },
      { kind: 'priority', atLeast: 'medium' },
      { kind: 'event_count', above: 5, minutes: 60 },
      { kind: 'user_count', above: 6, minutes: 45 },
    ];
    const { rule } = await createAlertRule(scene.owner, {
      projectSlug: 'web',
      name: 'All',
      environment: null,
      owner: null,
      definition: {
        kind: 'issue',
        triggers: ['event'],
        filters,
        filterMatch: 'all',
        frequencyMinutes: 30,
        receivers: [{ kind: 'owners', otherwise: 'nobody' }],
      },
    });
    const [, shown] = await scene.answer<Rule>('GET', RULE, { params: { rule: String(rule.id) } });
    expect(shown.conditions.map(({ id }) => id.split('.').at(-1))).toEqual([
      'EventFrequencyCondition',
      'EventUniqueUserFrequencyCondition',
    ]);
    const [status] = await scene.answer('PUT', RULE, { params: { rule: String(rule.id) }, json: shown });
    expect(status).toBe(200);
    const after = await stored({ id: String(rule.id) });
    expect(after).toEqual({ ...rule.definition, filters: expect.any(Array) });
    const kept = after.kind === 'issue' ? after.filters : [];
    expect(kept).toHaveLength(filters.length);
    for (const filter of filters) expect(kept).toContainEqual(filter);
  });

  test('what is only counted looks at each event; high priority is a trigger and a filter', async () => {
    expect(await stored(await create({ conditions: [FREQUENCY] }))).toMatchObject({
      triggers: ['event'],
      filters: [{ kind: 'event_count', above: 100, minutes: 60 }],
    });
    const high = ['New', 'Existing'].map((which) => ({
      id: `${CONDITIONS}.high_priority_issue.${which}HighPriorityIssueCondition`,
    }));
    expect(await stored(await create({ conditions: high }))).toMatchObject({
      triggers: ['first_seen', 'escalation'],
      filters: [{ kind: 'priority', atLeast: 'high' }],
    });
  });

  test.each([
    [{ conditions: [FIRST_SEEN, FREQUENCY] }, 'create a separate rule'],
    [{ conditions: [FIRST_SEEN, REGRESSION], actionMatch: 'all' }, 'use "any"'],
    [{ conditions: [{ id: 'sentry.rules.conditions.weather.Rain' }] }, 'is not supported'],
    [{ filters: [{ id: 'sentry.rules.filters.constructor' }] }, 'is not supported'],
    [{ conditions: [{ ...FREQUENCY, comparisonType: 'percent' }] }, 'not comparison with an earlier period'],
    [{ actions: [] }, 'choose who to notify'],
    [{ actions: [{ id: 'sentry.rules.actions.jira' }] }, 'is not supported'],
    [
      {
        actions: [
          { id: 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction', service: 'no' },
        ],
      },
      'no destination "no"',
    ],
    [{ frequency: 1 }, 'frequencyMinutes'],
    [{ owner: 'team:999999' }, 'team no longer exists'],
    [{ owner: 'nobody' }, 'user:1 or team:1'],
    [{ name: ' ' }, 'Enter a rule name'],
  ])('%j is refused with a reason', async (body, reason) => {
    const json = { name: 'A rule', conditions: [FIRST_SEEN], actions: [MAIL_OWNERS], ...body };
    expect(await refused(RULES, json)).toContain(reason);
  });

  test('a part of a rule is changed, it is disabled, snoozed, woken and deleted', async () => {
    const { id } = await create({});
    const params = { rule: id };
    const [, renamed] = await scene.answer<Rule>('PUT', RULE, {
      params,
      json: { name: 'Renamed', status: 'disabled' },
    });
    expect(renamed).toMatchObject({ name: 'Renamed', status: 'disabled', conditions: [FIRST_SEEN] });
    const until = new Date(NOON_MS + 3_600_000).toISOString();
    const [snoozed, shown] = await scene.answer('POST', `${RULE}/snooze`, { params, json: { until } });
    expect([snoozed, shown]).toMatchObject([201, { snooze: true, snoozeUntil: until }]);
    expect((await scene.answer('DELETE', `${RULE}/snooze`, { params }))[0]).toBe(204);
    expect((await scene.answer<Rule>('GET', RULE, { params }))[1].snooze).toBe(false);
    expect((await scene.answer('DELETE', RULE, { params }))[0]).toBe(202);
    expect((await scene.answer('GET', RULE, { params }))[0]).toBe(404);
  });

  test('what is changed over the API leaves receivers that are gone, until others are named', async () => {
    const { destinations } = scene.product.stores;
    const old = { kind: 'slack', name: 'Old shop', config: {}, secret: {} } as const;
    const gone = await destinations.add(scene.mine.id, old, null, NOON_MS);
    const service = 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction';
    const { id } = await create({ actions: [MAIL_OWNERS, { id: service, service: gone.id }] });
    await destinations.remove(scene.mine.id, gone.id);
    const change = (json: object) => scene.answer('PUT', RULE, { params: { rule: id }, json });
    expect(await change({ status: 'disabled' })).toMatchObject([200, { status: 'disabled' }]);
    expect(await change({ name: 'Renamed' })).toMatchObject([200, { name: 'Renamed', status: 'disabled' }]);
    expect((await stored({ id })).receivers).toHaveLength(2);
    expect((await change({ actions: [{ id: service, service: gone.id }] }))[0]).toBe(400);
    expect((await change({ actions: [MAIL_OWNERS] }))[0]).toBe(200);
    expect((await stored({ id })).receivers).toEqual([{ kind: 'owners', otherwise: 'members' }]);
  });

  test('a destination is found by its number before another one that is called so', async () => {
    const named = { kind: 'slack', name: String(slackId), config: {}, secret: {} } as const;
    // Lists are in the order of names: digits stand before "Shop".
    await scene.product.stores.destinations.add(scene.mine.id, named, null, NOON_MS);
    const service = 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction';
    const rule = await create({ actions: [{ id: service, service: String(slackId) }] });
    expect((await stored(rule)).receivers).toEqual([{ kind: 'destination', destinationId: slackId }]);
  });

  test('whether messages arrive, by email, at a destination and of each rule', async () => {
    const noMailServer = {
      status: 'failing',
      reason: expect.stringContaining('ERRATA_SMTP_URL'),
      since: null,
      lastSent: null,
    };
    const untested = { status: 'untested', reason: null, since: null, lastSent: null };
    const mails = await create({ actions: [MAIL_OWNERS] });
    const posts = await create({
      actions: [
        {
          id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction',
          workspace: String(slackId),
        },
      ],
    });
    const [status, report] = await scene.answer<{ rules: { id: string }[] }>(
      'GET',
      'organizations/[org]/delivery-health',
    );
    expect([status, report]).toMatchObject([200, { email: noMailServer }]);
    expect(report).toMatchObject({
      destinations: expect.arrayContaining([{ id: String(slackId), ...untested }]),
      rules: expect.arrayContaining([
        { id: mails.id, ...noMailServer, undelivered: 0 },
        { id: posts.id, ...untested, undelivered: 0 },
      ]),
    });
  });

  test('as workflows, by id and by name', async () => {
    const rule = await create({
      name: 'Workflow',
      filters: [{ id: `${FILTERS}.latest_release.LatestReleaseFilter` }],
    });
    const ask = async (query: string) =>
      (await scene.answer<object[]>('GET', 'organizations/[org]/workflows', { query }))[1];
    expect(await ask('query=workf')).toMatchObject([
      {
        id: rule.id,
        name: 'Workflow',
        enabled: true,
        config: { frequency: 30 },
        triggers: { conditions: [{ type: 'first_seen_event' }] },
        actionFilters: [
          { logicType: 'all', conditions: [{ type: 'latest_release' }], actions: [{ type: 'email' }] },
        ],
      },
    ]);
    expect(await ask(`id=${rule.id}&id=0`)).toHaveLength(1);
    expect(await ask('id=0')).toEqual([]);
  });

  test('a preview', async () => {
    const [status, preview] = await scene.answer('POST', `${RULES}/preview`, {
      json: { conditions: [FIRST_SEEN] },
    });
    expect([status, preview]).toMatchObject([200, { firings: 0, isEstimate: false, issues: [] }]);
  });
});

describe('rules of metrics', () => {
  const body = {
    name: 'Crashes',
    projects: ['web'],
    aggregate: 'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
    dataset: 'metrics',
    query: 'release:web@1',
    timeWindow: 120,
    thresholdType: 1,
    resolveThreshold: 99,
    environment: null,
    triggers: [
      { label: 'critical', alertThreshold: 95, actions: [] as object[] },
      { label: 'warning', alertThreshold: 98, actions: [] as object[] },
    ],
  };
  const told = () => ({
    ...body,
    triggers: body.triggers.map((trigger) => ({
      ...trigger,
      actions: [
        { type: 'email', targetType: 'team', targetIdentifier: String(teamId) },
        { type: 'slack', targetType: 'specific', integrationId: slackId },
      ],
    })),
  });

  test('a crash-free rate has a minimum of sessions, and nothing else has', async () => {
    const [status, rule] = await scene.answer<{ id: string; minimumSessions: number }>('POST', METRICS, {
      json: { ...told(), minimumSessions: 500 },
    });
    expect([status, rule.minimumSessions]).toEqual([201, 500]);
    expect(await stored(rule)).toMatchObject({ measure: 'crash_free_sessions', minimumSessions: 500 });
    const counted = { ...told(), aggregate: 'count()', dataset: 'events', query: '', minimumSessions: 500 };
    const [refused, problem] = await scene.answer('POST', METRICS, { json: counted });
    expect((await scene.answer('DELETE', METRIC, { params: { rule: rule.id } }))[0]).toBe(202);
    expect([refused, JSON.stringify(problem)]).toEqual([400, expect.stringContaining('crash-free')]);
  });

  test('a rule is answered as Sentry answers it, in both lists', async () => {
    const [status, rule] = await scene.answer<{ id: string }>('POST', METRICS, { json: told() });
    expect(status).toBe(201);
    expect(await stored(rule)).toEqual({
      kind: 'metric',
      measure: 'crash_free_sessions',
      query: 'release:web@1',
      windowMinutes: 120,
      direction: 'below',
      critical: 95,
      warning: 98,
      resolve: 99,
      receivers: [
        { kind: 'team', teamId },
        { kind: 'destination', destinationId: slackId },
      ],
    });
    expect(rule).toMatchObject({
      name: 'Crashes',
      organizationId: String(scene.mine.id),
      aggregate: body.aggregate,
      dataset: 'metrics',
      queryType: 2,
      thresholdType: 1,
      resolveThreshold: 99,
      timeWindow: 120,
      projects: ['web'],
      triggers: [
        {
          label: 'critical',
          alertThreshold: 95,
          alertRuleId: rule.id,
          actions: [
            { type: 'email', targetType: 'team', targetIdentifier: String(teamId) },
            { type: 'slack', targetType: 'specific', integrationId: String(slackId) },
          ],
        },
        { label: 'warning', alertThreshold: 98 },
      ],
    });
    const [, list] = await scene.answer('GET', METRICS);
    expect(list).toEqual([rule]);
    const ask = async (query: string) =>
      (
        await scene.answer<{ name: string; type: string }[]>('GET', 'organizations/[org]/combined-rules', {
          query,
        })
      )[1];
    expect(await ask('name=crash')).toEqual([{ ...rule, type: 'alert_rule' }]);
    expect(new Set((await ask('alertType=rule')).map(({ type }) => type))).toEqual(new Set(['rule']));
    expect(await ask('project=api')).toEqual([]);
    const change = (json: object) => scene.answer('PUT', METRIC, { params: { rule: rule.id }, json });
    expect(await change(rule)).toEqual([200, { ...rule, dateModified: expect.any(String) }]);
    expect(await change({ ...rule, projects: ['api'] })).toMatchObject([
      400,
      { detail: expect.stringContaining('a rule cannot be moved') },
    ]);
    const [, updated] = await scene.answer('PUT', METRIC, {
      params: { rule: rule.id },
      json: {
        ...told(),
        aggregate: 'failure_rate()',
        dataset: 'transactions',
        eventTypes: ['transaction'],
        query: '',
        thresholdType: 0,
        resolveThreshold: null,
        triggers: [{ ...told().triggers[0], alertThreshold: 0.05 }],
      },
    });
    expect(updated).toMatchObject({ dataset: 'transactions', triggers: [{ alertThreshold: 0.05 }] });
    expect(await stored(rule)).toMatchObject({ measure: 'failure_rate', critical: 5, warning: null });
    expect((await scene.answer('DELETE', METRIC, { params: { rule: rule.id } }))[0]).toBe(202);
    expect((await scene.answer('GET', METRIC, { params: { rule: rule.id } }))[0]).toBe(404);
  });

  const eap = 'events_analytics_platform';
  test.each([
    [
      { dataset: eap, eventTypes: ['trace_item_span'], aggregate: 'p95(span.duration)', query: 'span.op:db' },
      { measure: { dataset: 'spans', function: 'p95(span.duration)' }, query: 'span.op:db', critical: 95 },
      {},
    ],
    [
      { dataset: eap, eventTypes: ['trace_item_span'], aggregate: 'failure_rate()', query: '' },
      { measure: { dataset: 'spans', function: 'failure_rate()' }, critical: 50 },
      {},
    ],
    [
      { dataset: eap, eventTypes: ['trace_item_log'], aggregate: 'count(message)', query: 'severity:error' },
      { measure: { dataset: 'logs', function: 'count(message)' }, query: 'severity:error' },
      {},
    ],
    [
      { dataset: 'ourlogs', aggregate: 'epm()', query: '' },
      { measure: { dataset: 'logs', function: 'epm()' } },
      { dataset: eap, eventTypes: ['trace_item_log'] },
    ],
    [
      {
        dataset: eap,
        eventTypes: ['trace_item_metric'],
        aggregate: 'sum(value,cart.total,counter,-)',
        query: 'release:1 OR release:2',
      },
      {
        measure: { dataset: 'metrics', function: 'sum(value)' },
        query: 'metric.name:cart.total metric.type:counter (release:1 OR release:2)',
      },
      {
        aggregate: 'sum(value)',
        query: 'metric.name:cart.total metric.type:counter (release:1 OR release:2)',
      },
    ],
    [
      {
        dataset: 'generic_metrics',
        eventTypes: ['transaction'],
        aggregate: 'p95(transaction.duration)',
        query: 'transaction:/pay',
      },
      {
        measure: { dataset: 'spans', function: 'p95(transaction.duration)' },
        query: 'is_transaction:true (transaction:/pay)',
      },
      { dataset: eap, eventTypes: ['trace_item_span'], query: 'is_transaction:true (transaction:/pay)' },
    ],
  ] as const)('%j is measured, and answered as it is written', async (asked, kept, answered) => {
    const scale = asked.aggregate === 'failure_rate()' ? 0.5 / 95 : 1;
    const json = {
      ...body,
      ...asked,
      thresholdType: 0,
      resolveThreshold: null,
      triggers: [{ ...told().triggers[0], alertThreshold: 95 * scale }],
    };
    const [status, rule] = await scene.answer<{ id: string }>('POST', METRICS, { json });
    expect([status, rule]).toMatchObject([201, { ...asked, ...answered, triggers: [{ label: 'critical' }] }]);
    expect(await stored(rule)).toMatchObject(kept);
    const [again, same] = await scene.answer('PUT', METRIC, { params: { rule: rule.id }, json: rule });
    expect([again, same]).toEqual([200, { ...rule, dateModified: expect.any(String) }]);
    await scene.answer('DELETE', METRIC, { params: { rule: rule.id } });
  });

  test('a change in percent against minutes before', async () => {
    const json = {
      ...told(),
      aggregate: 'count()',
      dataset: 'events',
      query: '',
      comparisonDelta: 10_080,
      resolveThreshold: 5,
      triggers: [{ ...told().triggers[0], alertThreshold: 50 }],
    };
    const [status, rule] = await scene.answer<{ id: string }>('POST', METRICS, { json });
    expect([status, rule]).toMatchObject([
      201,
      {
        comparisonDelta: 10_080,
        detectionType: 'percent',
        thresholdType: 1,
        resolveThreshold: 5,
        triggers: [{ alertThreshold: 50 }],
      },
    ]);
    expect(await stored(rule)).toMatchObject({ comparisonMinutes: 10_080, direction: 'below', critical: 50 });
    const fixed = { ...json, comparisonDelta: null, resolveThreshold: null };
    const [, changed] = await scene.answer('PUT', METRIC, { params: { rule: rule.id }, json: fixed });
    expect(changed).toMatchObject({ comparisonDelta: null, detectionType: 'static' });
    await scene.answer('DELETE', METRIC, { params: { rule: rule.id } });
  });

  test.each([
    [{ aggregate: 'p95(transaction.duration)' }, 'Errata supports'],
    [{ aggregate: 'count()', dataset: 'transactions', eventTypes: ['error'] }, '"eventTypes"'],
    [{ aggregate: 'count()', dataset: 'metrics' }, 'only in events'],
    [{ aggregate: 'count()', dataset: 'events', eventTypes: ['error', 'transaction'] }, '"eventTypes"'],
    [{ aggregate: 'count()', dataset: 'events', eventTypes: ['default'] }, '"eventTypes"'],
    [{ aggregate: 'failure_rate()', dataset: 'search_issues' }, '"dataset"'],
    [{ aggregate: 'count()', dataset: 'events_analytics_platform', eventTypes: ['error'] }, '"eventTypes"'],
    [{ aggregate: 'last_seen()', dataset: 'events_analytics_platform' }, 'is a time'],
    [{ aggregate: 'avg(', dataset: 'ourlogs' }, 'is not a function'],
    [{ detectionType: 'dynamic' }, '"static" and "percent"'],
    [{ detectionType: 'percent' }, 'how many minutes before'],
    [{ detectionType: 'static', comparisonDelta: 60 }, 'use "percent"'],
    [{ query: 'level:error' }, 'can only be filtered by release, environment'],
    [{ projects: ['web', 'api'] }, 'one project'],
    [{ comparisonDelta: 1 }, 'comparisonDelta'],
    [{ thresholdType: 0 }, 'warning'],
    [{ triggers: [{ label: 'warning', alertThreshold: 98 }] }, 'label one of them "critical"'],
  ])('%j is refused with a reason', async (change, reason) => {
    expect(await refused(METRICS, { ...told(), ...change })).toContain(reason);
  });
});
