import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { explain, explainGrouping } from './explain.ts';
import { EVENT_BYTES_MAX } from './explain-items.ts';
import { readExplainSettings } from './read-explain-settings.ts';
import { type GroupingRulesInput, readGroupingRules } from './read-grouping-rules.ts';
import { type ExplainInput, looksLikeEnvelope } from './read-input.ts';

const RECEIVED_AT_MS = 1_790_000_010_000;

const input = (text: string): ExplainInput => ({
  bytes: Buffer.from(text),
  settings: DEFAULT_INGEST_SETTINGS,
  groupingRules: readGroupingRules({ fingerprint: null, stackTrace: null }).rules,
  receivedAtMs: RECEIVED_AT_MS,
  clientIp: null,
  userAgent: null,
});

const explained = (
  text: string,
  settings: IngestSettings = DEFAULT_INGEST_SETTINGS,
  clientIp: string | null = null,
) => explain({ ...input(text), settings, clientIp });

const withFilters = (filters: Partial<IngestSettings['filters']>): IngestSettings => ({
  ...DEFAULT_INGEST_SETTINGS,
  filters: { ...DEFAULT_INGEST_SETTINGS.filters, ...filters },
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
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const item = (type: string, payload: unknown, header: object = {}): string => {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return `${line({ type, length: Buffer.byteLength(text), ...header })}${text}\n`;
};

describe('an event', () => {
  test('is told before and after private data is taken out, with what groups it', () => {
    const explanation = explained(JSON.stringify(EVENT, null, 2));
    expect(explanation).toMatchObject({
      outcome: { outcome: 'accepted', reason: '', detail: null },
      event: {
        normalized: { release: 'web@1.2.3', extra: { password: 'hunter2' } },
        stored: { release: 'web@1.2.3', extra: { password: '[Filtered]' } },
      },
      grouping: {
        hash: expect.stringMatching(/^[0-9a-f]{32}$/),
        variant: 'app',
        by: 'event',
        rule: null,
        parts: ['TypeError', 'cart.js', 'pay'],
        title: 'TypeError: x is undefined',
      },
    });
    expect(explanation.scrubbed).toContainEqual(
      expect.objectContaining({
        path: 'extra.password',
        rule: expect.stringContaining('password'),
        lengthBefore: 7,
      }),
    );
    expect('items' in explanation).toBe(false);
  });

  test('that a filter drops is told as it would have been', () => {
    const explanation = explained(JSON.stringify(EVENT), withFilters({ releases: ['web@1.*'] }));
    expect(explanation.outcome).toEqual({
      outcome: 'filtered',
      reason: 'release-version',
      detail: expect.stringContaining('release-version'),
    });
    expect(explanation).toMatchObject({
      event: { stored: { extra: { password: '[Filtered]' } } },
      grouping: { title: 'TypeError: x is undefined' },
    });
    expect(
      explained(JSON.stringify(EVENT), withFilters({ ipAddresses: ['10.0.0.0/8'] }), '10.1.2.3').outcome
        .reason,
    ).toBe('ip-address');
  });

  test('a fingerprint is told as what decides', () => {
    const explanation = explained(JSON.stringify({ ...EVENT, fingerprint: ['checkout', '{{ default }}'] }));
    expect(explanation.grouping).toMatchObject({ by: 'fingerprint' });
    expect(explanation.grouping?.parts.slice(0, 2)).toEqual(['checkout', 'TypeError']);
  });

  test('that is no JSON is invalid, with the reason', () => {
    expect(explained('{"message": "x"')).toMatchObject({
      outcome: { outcome: 'invalid', reason: 'invalid_json', detail: expect.any(String) },
      event: null,
      grouping: null,
      scrubbed: [],
    });
    expect(explained('[1]').outcome).toMatchObject({ outcome: 'invalid', reason: 'invalid_json' });
  });

  test('that is larger than the edge takes is refused', () => {
    const large = JSON.stringify({ message: 'x'.repeat(EVENT_BYTES_MAX) });
    expect(explained(large).outcome).toMatchObject({ outcome: 'invalid', reason: 'too_large' });
  });

  test('what the SDK had cut itself is not told as a privacy rule', () => {
    const sent = {
      message: 'x',
      extra: { a: 'b' },
      _meta: { extra: { a: { '': { rem: [['sdk:rule', 'x']] } } } },
    };
    expect(explained(JSON.stringify(sent)).scrubbed).toEqual([]);
  });

  test('the same input gives the same answer', () => {
    expect(explained(JSON.stringify(EVENT))).toEqual(explained(JSON.stringify(EVENT)));
  });
});

describe('an envelope', () => {
  const id = 'a'.repeat(32);

  test('is told by its event, and each of its items in their order', () => {
    const envelope = `${line({ event_id: id })}${item('attachment', 'bytes', { filename: 'log.txt' })}${item('event', EVENT)}${item('client_report', {})}${item('dance', 'x')}`;
    const explanation = explained(envelope);
    expect(explanation).toMatchObject({
      outcome: { outcome: 'accepted' },
      event: { stored: { event_id: id } },
      grouping: { title: 'TypeError: x is undefined' },
    });
    expect(explanation.items?.map(({ type }) => type)).toEqual([
      'attachment',
      'event',
      'client_report',
      'dance',
    ]);
    expect(explanation.items?.[1]).toMatchObject({ outcomes: [{ category: 'error', outcome: 'accepted' }] });
    expect(explanation.items?.[2]).toMatchObject({ outcomes: [] });
    expect(explanation.items?.[3]).toMatchObject({
      outcomes: [{ outcome: 'filtered', reason: 'unsupported_item' }],
    });
  });

  test('what depends on a dropped event is dropped with it, for its reason', () => {
    const envelope = `${line({ event_id: id })}${item('attachment', 'bytes', { filename: 'log.txt' })}${item('event', EVENT)}`;
    const { items, outcome } = explained(envelope, withFilters({ releases: ['*'] }));
    expect(outcome.reason).toBe('release-version');
    expect(items?.[0]?.outcomes.map((each) => each.reason)).toEqual(
      items?.[0]?.outcomes.map(() => 'release-version'),
    );
    expect(items?.[0]?.outcomes.length).toBeGreaterThan(0);
  });

  test('that is broken is invalid, with the reason', () => {
    expect(explained(`${line({})}${line({ type: 'event', length: 500 })}{}`)).toMatchObject({
      outcome: {
        outcome: 'invalid',
        reason: 'invalid_envelope',
        detail: expect.stringContaining('500 bytes'),
      },
      items: [],
    });
  });

  test.each([
    ['{}', false],
    ['{"message":"x"}\n', false],
    ['{\n"type": "event"\n}', false],
    ['{"event_id":"x"}\n{"type":"event"}\n{}', true],
    ['{}\r\n\r\n{"type":"event"}\r\n{}', true],
    ['{}\n[1]', false],
    ['', false],
  ])('%j is an envelope: %s', (text, isEnvelope) => {
    expect(looksLikeEnvelope(Buffer.from(text))).toBe(isEnvelope);
  });
});

describe('settings', () => {
  test('what they do not name is as in a new project', () => {
    expect(readExplainSettings('{"filters":{"localhost":true}}')).toEqual(withFilters({ localhost: true }));
    expect(readExplainSettings('{}')).toEqual(DEFAULT_INGEST_SETTINGS);
    expect(
      readExplainSettings('{"privacy":{"advancedRules":[{"method":"mask","type":"email","selector":"**"}]}}')
        .privacy.advancedRules,
    ).toEqual([{ method: 'mask', type: 'email', selector: '**', pattern: null, placeholder: null }]);
  });

  test.each([
    ['{', /not JSON/],
    ['[]', /The settings/],
    ['{"filter":{}}', /filter/],
    ['{"filters":{"localhost":"yes"}}', /filters\.localhost/],
    ['{"filters":{"ipAddresses":["300.1.1.1"]}}', /filters\.ipAddresses.*300\.1\.1\.1/],
    ['{"filters":{"releases":["["]}}', /filters\.releases/],
  ])('%s is refused', (text, message) => {
    expect(() => readExplainSettings(text)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) }),
    );
  });
});

const groupingInput = (text: string) => ({
  bytes: Buffer.from(text),
  settings: null,
  groupingRules: readGroupingRules({ fingerprint: null, stackTrace: null }).rules,
  receivedAtMs: 1_790_000_010_000,
  clientIp: null,
  userAgent: null,
});

describe('grouping', () => {
  const grouping = (event: object, rules: Partial<GroupingRulesInput> = {}) =>
    explainGrouping({
      ...groupingInput(JSON.stringify(event)),
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
    const sent = groupingInput(JSON.stringify(EVENT));
    expect(explainGrouping({ ...sent, settings: dropped })).toEqual(explainGrouping(sent));
    expect(explainGrouping(groupingInput('{}\n{"type":"client_report"}\n{}'))).toBeNull();
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
    const sent = groupingInput(JSON.stringify({ message: 'card 4111 1111 1111 1111' }));
    const [bare, scrubbed] = [null, DEFAULT_INGEST_SETTINGS].map((settings) =>
      explainGrouping({ ...sent, settings }),
    );
    expect(bare?.variants.default?.values).toEqual(['card <int> <int> <int> <int>']);
    expect(scrubbed?.variants.default?.values).toEqual(['card [creditcard]']);
  });
});
