import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { explainGrouping } from './explain-grouping.ts';
import { type GroupingRulesInput, readGroupingRules } from './read-grouping-rules.ts';

const input = (text: string) => ({
  bytes: Buffer.from(text),
  settings: null,
  groupingRules: readGroupingRules({ fingerprint: null, stackTrace: null }).rules,
  receivedAtMs: 1_790_000_010_000,
  clientIp: null,
  userAgent: null,
});

const EVENT = {
  release: 'web@1.2.3',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'x is undefined',
        stacktrace: { frames: [{ function: 'pay', filename: 'cart.js', in_app: true }] },
      },
    ],
  },
  extra: { password: 'hunter2' },
};

describe('grouping', () => {
  const grouping = (event: object, rules: Partial<GroupingRulesInput> = {}) =>
    explainGrouping({
      ...input(JSON.stringify(event)),
      groupingRules: readGroupingRules({ fingerprint: null, stackTrace: null, ...rules }).rules,
    });

  test('is told by variant, with what was hashed and the tree', () => {
    const told = grouping(EVENT);
    expect(told).toMatchObject({
      config: 'newstyle:2026-01-20',
      variants: {
        app: { contributes: true, values: ['TypeError', 'cart.js', 'pay'], tree: { id: 'app' } },
        system: { contributes: false, hash: null, values: [] },
      },
    });
    expect(told?.hashes).toEqual([told?.variants.app?.hash]);
  });

  test('follows the project’s rules', () => {
    const structured = JSON.stringify([
      { matchers: [['error.type', 'TypeError']], fingerprint: ['{{ error.type }}'] },
    ]);
    for (const fingerprint of ['error.type:TypeError -> {{ error.type }}', structured]) {
      expect(grouping(EVENT, { fingerprint })?.variants).toMatchObject({
        custom_server_fingerprint: { values: ['TypeError'] },
        app: { contributes: false, hash: null },
      });
    }
    const hidden = grouping(EVENT, { stackTrace: 'function:pay -app' });
    expect(hidden?.variants).toMatchObject({ app: { hash: null }, system: { contributes: true } });
  });

  test('is the same when a filter would drop the event, and null without an event', () => {
    const dropped = {
      ...DEFAULT_INGEST_SETTINGS,
      filters: { ...NO_FILTERS, releases: ['*'] },
    };
    const sent = input(JSON.stringify(EVENT));
    expect(explainGrouping({ ...sent, settings: dropped })).toEqual(explainGrouping(sent));
    expect(explainGrouping(input('{}\n{"type":"client_report"}\n{}'))).toBeNull();
  });

  test.each([['[{"matchers":[["a"]],"fingerprint":["x"]}]'], ['error.type:X']])(
    'rules %s are no rules, and told as a problem',
    (fingerprint) => {
      expect(readGroupingRules({ fingerprint, stackTrace: 'function:x +nothing' }).problems).toMatchObject({
        fingerprint: [{ line: 1 }],
        stackTrace: [{ line: 1 }],
      });
    },
  );

  test('takes private data out first only with settings', () => {
    const sent = input(JSON.stringify({ message: 'card 4111 1111 1111 1111' }));
    const [bare, scrubbed] = [null, DEFAULT_INGEST_SETTINGS].map((settings) =>
      explainGrouping({ ...sent, settings }),
    );
    expect(bare?.variants.default?.values).toEqual(['card <int> <int> <int> <int>']);
    expect(scrubbed?.variants.default?.values).toEqual(['card [creditcard]']);
  });
});
