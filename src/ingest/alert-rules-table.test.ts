import { expect, test } from 'vitest';
import type { AlertRule, IssueAlert } from '#domain/alerts/alert-rule.ts';
import { createLog } from '#lib/log.ts';
import type { AlertEvent } from '#pipeline/alerts/event-values.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { AlertRulesTable } from './alert-rules-table.ts';

const event = (environment: string | null = null, level: AlertEvent['level'] = 'error'): AlertEvent => ({
  level,
  environment,
  title: 'x',
  message: 'x',
  tags: [],
  payload: {} as NormalizedEvent,
});

const rule = (
  id: number,
  definition: Partial<IssueAlert> = {},
  other: Partial<AlertRule> = {},
): AlertRule => ({
  id,
  organizationId: 1,
  projectId: 1,
  name: 'Rule',
  environment: null,
  owner: null,
  definition: {
    kind: 'issue',
    triggers: ['event'],
    filters: [],
    filterMatch: 'all',
    frequencyMinutes: 30,
    receivers: [],
    ...definition,
  },
  isEnabled: true,
  snoozedUntil: null,
  createdBy: null,
  createdAt: 0,
  updatedAt: 5,
  metric: null,
  ...other,
});

function tableOver(rules: AlertRule[], now = () => 1_000) {
  const store = { stamp: async () => String(rules.length), loads: 0, listEventRules: async () => rules };
  const counted = {
    stamp: store.stamp,
    listEventRules: async () => {
      store.loads += 1;
      return rules;
    },
  };
  return { table: new AlertRulesTable(counted, createLog('test', 'error'), now), store };
}

test('a project without such a rule has none, and what did not change is loaded once', async () => {
  const { table, store } = tableOver([rule(1)]);
  await table.load();
  await table.load();
  expect(store.loads).toBe(1);
  expect(table.findHits(2, event())).toEqual([]);
  expect(table.findHits(1, event())).toEqual([
    { ruleId: 1, ruleVersion: 5, kind: 'event', verdict: 'fits', frequencyMs: 1_800_000 },
  ]);
});

test('another environment, a filter that does not fit, and a snooze keep a rule quiet', async () => {
  const { table } = tableOver([
    rule(1, {}, { environment: 'production' }),
    rule(2, { filters: [{ kind: 'level', match: 'equals', level: 'fatal' }] }),
    rule(3, {}, { snoozedUntil: 2_000 }),
    rule(4, {}, { snoozedUntil: 1_000 }),
  ]);
  await table.load();
  expect(table.findHits(1, event('staging')).map(({ ruleId }) => ruleId)).toEqual([4]);
  expect(table.findHits(1, event('production', 'fatal')).map(({ ruleId }) => ruleId)).toEqual([1, 2, 4]);
});

test('a rule of what is new in an environment hears of each event there, whatever its filters say', async () => {
  const fatal = { kind: 'level', match: 'equals', level: 'fatal' } as const;
  const { table } = tableOver([
    rule(1, { triggers: ['first_seen'], filters: [fatal] }, { environment: 'production' }),
    rule(2, { triggers: ['first_seen', 'event'], filters: [fatal] }, { environment: 'production' }),
  ]);
  await table.load();
  const found = table
    .findHits(1, event('production'))
    .map(({ ruleId, kind, verdict }) => [ruleId, kind, verdict]);
  expect(found).toEqual([[1, 'first_seen', 'unread']]);
  expect(table.findHits(1, event('staging'))).toEqual([]);
});

test('what the issue must be asked for as well is open', async () => {
  const level = { kind: 'level', match: 'equals', level: 'error' } as const;
  const old = { kind: 'age', compare: 'older', minutes: 5 } as const;
  const { table } = tableOver([
    rule(1, { filters: [level, old] }),
    rule(2, { filters: [level, old], filterMatch: 'any' }),
    rule(3, { filters: [level, old], filterMatch: 'none' }),
    rule(4, { filters: [old] }),
  ]);
  await table.load();
  const verdicts = table.findHits(1, event()).map(({ ruleId, verdict }) => [ruleId, verdict]);
  expect(verdicts).toEqual([
    [1, 'open'],
    [2, 'fits'],
    [4, 'open'],
  ]);
});

test('once the characters of a second are spent, nothing is read, and nothing is left out', async () => {
  const contains = { kind: 'attribute', attribute: 'message', match: 'contains', value: 'y' } as const;
  let nowMs = 1_000;
  const { table } = tableOver([rule(1, { filters: [contains] })], () => nowMs);
  await table.load();
  const long = { ...event(), title: '', message: 'x'.repeat(100_000) };
  const verdicts = new Set<string | undefined>();
  for (let index = 0; index < 1_100; index++) verdicts.add(table.findHits(1, long)[0]?.verdict);
  expect([...verdicts]).toEqual([undefined, 'unread']);
  nowMs = 2_000;
  expect(table.findHits(1, long)).toEqual([]);
});
