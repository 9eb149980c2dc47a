import { describe, expect, test } from 'vitest';
import { parseAlertDefinition } from './alert-definition.ts';

const ISSUE = {
  kind: 'issue',
  triggers: ['first_seen'],
  filters: [],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [{ kind: 'owners', otherwise: 'members' }],
};
const METRIC = {
  kind: 'metric',
  measure: 'events',
  query: '',
  windowMinutes: 60,
  direction: 'above',
  critical: 100,
  warning: null,
  resolve: null,
  receivers: [{ kind: 'user', userId: 'u1' }],
};

const fieldOf = (value: unknown): string | null | undefined => {
  try {
    parseAlertDefinition(value);
    return undefined;
  } catch (error) {
    return (error as { field?: string | null }).field;
  }
};

test('what is good is kept', () => {
  expect(parseAlertDefinition(ISSUE)).toEqual(ISSUE);
  expect(parseAlertDefinition(METRIC)).toEqual(METRIC);
});

test('a receiver that is named twice is named once', () => {
  const receivers = [...ISSUE.receivers, ...METRIC.receivers, ...ISSUE.receivers];
  expect(parseAlertDefinition({ ...ISSUE, receivers }).receivers).toHaveLength(2);
});

test('without a trigger every event is looked at, and one that is named twice counts once', () => {
  expect(parseAlertDefinition({ ...ISSUE, triggers: [] })).toMatchObject({ triggers: ['event'] });
  const triggers = ['regression', 'regression'];
  expect(parseAlertDefinition({ ...ISSUE, triggers })).toMatchObject({ triggers: ['regression'] });
});

describe('what is wrong is named', () => {
  test.each([
    ['kind', { ...ISSUE, kind: 'other' }],
    ['triggers.0', { ...ISSUE, triggers: ['sometimes'] }],
    ['frequencyMinutes', { ...ISSUE, frequencyMinutes: 4 }],
    ['frequencyMinutes', { ...ISSUE, frequencyMinutes: 43_201 }],
    ['receivers', { ...ISSUE, receivers: [] }],
    ['receivers.0.destinationId', { ...ISSUE, receivers: [{ kind: 'destination', destinationId: 0 }] }],
    ['filters.0.kind', { ...ISSUE, filters: [{ kind: 'weather' }] }],
    ['filters.0.value', { ...ISSUE, filters: [{ kind: 'tag', key: 'a', match: 'equals', value: ' ' }] }],
    ['filters.0.minutes', { ...ISSUE, filters: [{ kind: 'event_count', above: 1, minutes: 0 }] }],
    ['filters', { ...ISSUE, filters: Array.from({ length: 31 }, () => ({ kind: 'latest_release' })) }],
    ['windowMinutes', { ...METRIC, windowMinutes: 10_081 }],
    ['critical', { ...METRIC, measure: 'crash_free_users', critical: 101 }],
    ['measure', { ...METRIC, measure: 'weather' }],
    ['measure', { ...METRIC, measure: { dataset: 'errors', function: 'count()' } }],
    ['measure', { ...METRIC, measure: { dataset: 'logs', function: 'failure_rate()' } }],
    ['measure', { ...METRIC, measure: { dataset: 'logs', function: 'avg()' } }],
    ['measure', { ...METRIC, measure: { dataset: 'spans', function: 'last_seen()' } }],
    ['measure', { ...METRIC, measure: { dataset: 'spans', function: 'now' } }],
    ['critical', { ...METRIC, measure: { dataset: 'spans', function: 'failure_rate()' }, critical: 101 }],
    ['comparisonMinutes', { ...METRIC, comparisonMinutes: 4 }],
    ['critical', { ...METRIC, comparisonMinutes: 60, direction: 'below', critical: 101 }],
    ['warning', { ...METRIC, comparisonMinutes: 60, direction: 'below', critical: 20, warning: 30 }],
    ['resolve', { ...METRIC, comparisonMinutes: 60, direction: 'below', critical: 20, resolve: 30 }],
    ['warning', { ...METRIC, warning: 100 }],
    ['warning', { ...METRIC, direction: 'below', warning: 99 }],
    ['resolve', { ...METRIC, resolve: 101 }],
    ['resolve', { ...METRIC, warning: 50, resolve: 51 }],
    ['resolve', { ...METRIC, direction: 'below', resolve: 99 }],
  ])('%s', (field, value) => {
    expect(fieldOf(value)).toBe(field);
  });

  test('values that lie right are taken', () => {
    expect(fieldOf({ ...METRIC, warning: 50, resolve: 50 })).toBeUndefined();
    expect(
      fieldOf({ ...METRIC, direction: 'below', critical: 95, warning: 98, resolve: 99 }),
    ).toBeUndefined();
    const spans = { ...METRIC, measure: { dataset: 'spans', function: 'p95(span.duration)' } };
    expect(parseAlertDefinition(spans)).toEqual(spans);
    const drop = {
      ...METRIC,
      comparisonMinutes: 10_080,
      direction: 'below',
      critical: 50,
      warning: 20,
      resolve: 5,
    };
    expect(parseAlertDefinition(drop)).toEqual(drop);
    const isSet = { kind: 'tag', key: 'a', match: 'is_set', value: '' };
    expect(fieldOf({ ...ISSUE, filters: [isSet] })).toBeUndefined();
  });
});
