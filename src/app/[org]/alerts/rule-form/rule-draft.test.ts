import { describe, expect, it } from 'vitest';
import type { AlertDefinition } from '#domain/alerts/alert-rule.ts';
import {
  draftOfFilter,
  draftOfRule,
  type IssueDraft,
  type MetricDraft,
  partOf,
  readDraft,
  withoutThoseOf,
} from './rule-draft.ts';

const RULE = { name: 'Checkout', environment: 'production', owner: null };
const ISSUE: AlertDefinition = {
  kind: 'issue',
  triggers: ['first_seen', 'regression'],
  filters: [
    { kind: 'level', match: 'at_least', level: 'error' },
    { kind: 'tag', key: 'plan', match: 'equals', value: 'gold' },
    { kind: 'age', compare: 'older', minutes: 2_880 },
    { kind: 'times_seen', atLeast: 10 },
    { kind: 'user_count', above: 50, minutes: 60 },
    { kind: 'assigned', to: { kind: 'nobody' } },
  ],
  filterMatch: 'any',
  frequencyMinutes: 30,
  receivers: [{ kind: 'owners', otherwise: 'members' }],
};
const METRIC: AlertDefinition = {
  kind: 'metric',
  measure: 'crash_free_sessions',
  query: 'release:web@2.*',
  windowMinutes: 60,
  direction: 'below',
  critical: 99,
  warning: 99.5,
  resolve: null,
  receivers: [{ kind: 'destination', destinationId: 3 }],
};

const CHANGE: AlertDefinition = {
  ...METRIC,
  measure: { dataset: 'spans', function: 'p95(span.duration)' },
  comparisonMinutes: 10_080,
  direction: 'above',
  critical: 50,
  warning: null,
};

describe('readDraft', () => {
  it.each([ISSUE, METRIC, CHANGE])('says what the rule said', (definition) => {
    const rule = { ...RULE, definition };
    expect(readDraft(draftOfRule(rule))).toEqual({ ok: true, input: rule });
  });

  it('names what is wrong at its place', () => {
    const draft = draftOfRule({ ...RULE, definition: ISSUE }) as IssueDraft;
    const [level, tag, age, seen] = draft.filters;
    const answer = readDraft({
      ...draft,
      name: ' ',
      triggers: [],
      receivers: [],
      filters: [
        level!,
        { ...tag!, filter: { kind: 'tag', key: '', match: 'is_set', value: '' } },
        { ...age!, count: '0' },
        { ...seen!, count: 'ten' },
      ],
    });
    expect(answer).toMatchObject({ ok: false });
    expect(Object.keys(answer.ok ? {} : answer.problems).sort()).toEqual([
      'filters.1',
      'filters.2',
      'filters.3',
      'name',
      'receivers',
      'triggers',
    ]);
  });

  it('takes a comma for a point in a threshold, and needs the critical one', () => {
    const draft = draftOfRule({ ...RULE, definition: METRIC }) as MetricDraft;
    expect(readDraft({ ...draft, warning: '99,7' })).toMatchObject({
      input: { definition: { warning: 99.7 } },
    });
    for (const critical of ['1,000', '12,500', '1,000,000', '1,000.5']) {
      expect(readDraft({ ...draft, critical }), critical).toEqual({
        ok: false,
        problems: { critical: expect.stringContaining('without a comma') },
      });
    }
    expect(readDraft({ ...draft, critical: '0,125' })).toMatchObject({
      input: { definition: { critical: 0.125 } },
    });
    expect(readDraft({ ...draft, critical: '1000' })).toMatchObject({
      input: { definition: { critical: 1_000 } },
    });
    expect(readDraft({ ...draft, critical: '', resolve: 'more' })).toEqual({
      ok: false,
      problems: { critical: expect.any(String), resolve: expect.any(String) },
    });
  });

  it('needs no value to ask whether a tag is set', () => {
    const draft = draftOfRule({ ...RULE, definition: ISSUE }) as IssueDraft;
    const isSet = { kind: 'tag', key: ' plan ', match: 'is_set', value: '' } as const;
    expect(readDraft({ ...draft, filters: [draftOfFilter(isSet, 'a')] })).toMatchObject({
      input: { definition: { filters: [{ ...isSet, key: 'plan' }] } },
    });
  });
});

it('shows an age in the largest unit that it is a whole number of', () => {
  const shown = (minutes: number) => {
    const { count, unit } = draftOfFilter({ kind: 'age', compare: 'newer', minutes }, 'a');
    return `${count} ${unit}`;
  };
  expect([90, 120, 1_440, 20_160].map(shown)).toEqual(['90 minutes', '2 hours', '1 days', '2 weeks']);
});

it('finds the part of the form that a field stands in', () => {
  expect(['filters.2.value', 'receivers.1', 'critical'].map(partOf)).toEqual([
    'filters.2',
    'receivers',
    'critical',
  ]);
});

it('a problem goes once the part that it is about is changed', () => {
  const problems = {
    name: 'Enter a name.',
    'filters.1': 'Enter a value.',
    receivers: 'Choose who to notify.',
  };
  expect(withoutThoseOf(problems, { receivers: [] })).toEqual({
    name: 'Enter a name.',
    'filters.1': 'Enter a value.',
  });
  expect(withoutThoseOf(problems, { filters: [], name: '' })).toEqual({ receivers: 'Choose who to notify.' });
});
