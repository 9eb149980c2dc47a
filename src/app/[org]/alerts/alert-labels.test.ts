import { expect, test } from 'vitest';
import type { AlertDefinition } from '#domain/alerts/alert-rule.ts';
import { ruleSentence } from './alert-labels.ts';

const sentence = (definition: AlertDefinition, environment: string | null = null) =>
  ruleSentence({ definition, environment }, () => '#ops');

const ISSUE: AlertDefinition = {
  kind: 'issue',
  triggers: ['first_seen', 'regression'],
  filters: [
    { kind: 'level', match: 'at_least', level: 'error' },
    { kind: 'assigned', to: { kind: 'team', teamId: 1 } },
  ],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [],
};

test('a rule of issues reads as a sentence', () => {
  expect(sentence(ISSUE, 'production')).toBe(
    'A new issue is created or a resolved issue regresses in production, if the level is error or higher and the issue is assigned to #ops',
  );
  expect(sentence({ ...ISSUE, filters: [], triggers: ['event'] })).toBe('An event arrives in an issue');
  expect(
    sentence({
      ...ISSUE,
      triggers: ['event'],
      filterMatch: 'none',
      filters: [
        { kind: 'tag', key: 'plan', match: 'equals', value: 'free' },
        { kind: 'user_count', above: 1_000, minutes: 90 },
      ],
    }),
  ).toBe(
    'An event arrives in an issue, unless the tag plan is free or more than 1,000 users affected within 90 minutes',
  );
});

test('a rule of a metric reads as a sentence', () => {
  expect(
    sentence(
      {
        kind: 'metric',
        measure: 'crash_free_sessions',
        query: 'release:web@2.*',
        windowMinutes: 60,
        direction: 'below',
        critical: 99.5,
        warning: null,
        resolve: null,
        receivers: [],
      },
      'production',
    ),
  ).toBe('Crash-free sessions below 99.5% within 1 hour in production, filtered by release:web@2.*');
});
