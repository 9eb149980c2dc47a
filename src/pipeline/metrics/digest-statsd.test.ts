import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { digestStatsd } from './digest-statsd.ts';
import { hashSetValue, parseStatsdLine } from './parse-statsd-line.ts';

const digest = (text: string) => digestStatsd(rawItem('statsd', Buffer.from(text)), itemContext());
const outcome = (kind: string, quantity: number, reason = '') => ({
  category: 'statsd',
  outcome: kind,
  reason,
  quantity,
});

describe('a line', () => {
  test.each([
    ['endpoint.hits:1|c', { name: 'endpoint.hits', unit: 'none', type: 'counter', values: [1] }],
    ['endpoint.hits:4.5:21:17.0|c', { values: [42.5] }],
    ['endpoint.hits:2|c|@0.1', { values: [20] }],
    ['endpoint.hits:2|m', { type: 'counter' }],
    [
      'endpoint.time@millisecond:36:49:57|d',
      { type: 'distribution', unit: 'millisecond', values: [36, 49, 57] },
    ],
    ['endpoint.time:5|ms', { type: 'distribution', unit: 'millisecond', values: [5] }],
    [
      'endpoint.users:3182887624:e2546e4c-ecd0-43ad-ae27-87960e57a658|s',
      { type: 'set', values: [3_182_887_624, 4_267_882_815] },
    ],
    ['endpoint.load:25|g', { type: 'gauge', values: [25], gauge: null }],
    ['endpoint.load:25:17:42:220:85|g', { values: [25], gauge: { min: 17, max: 42, sum: 220, count: 85 } }],
    ['custom/a.b:1|c', { name: 'a.b' }],
    ['spans/a.b:1|c', { name: 'spans/a.b' }],
    ['a b:1|c', { name: 'a_b' }],
    ['a:-1e3|d', { values: [-1_000] }],
    [
      'a:1|c|#route:user_index,environment:production,flag|T1615889440',
      {
        timestamp: 1_615_889_440,
        tags: [
          ['route', 'user_index'],
          ['environment', 'production'],
          ['flag', ''],
        ],
      },
    ],
    ['a:1|c|#k:a\\tb\\\\\\u{2c}\\u{7c}', { tags: [['k', 'a\tb\\,|']] }],
    ['a:1|c|#bad key:x,good:y', { tags: [['good', 'y']] }],
    ['a:1|c|#k:1,k:2', { tags: [['k', '2']] }],
  ])('%s', (text, expected) => {
    expect(parseStatsdLine(text)).toMatchObject(expected);
  });

  test.each([
    'endpoint.hits',
    ':1|c',
    'a:|c',
    'a:1',
    'a:1|x',
    'a:one|c',
    'a:1:2|g',
    'a:NaN|d',
    'a:1e999|d',
    '1a:1|c',
    'a:1|c|Tsoon',
    `a:${'1:'.repeat(1_000)}1|d`,
    'constructor:1|constructor',
  ])('%s is none', (text) => {
    expect(parseStatsdLine(text)).toBeNull();
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseStatsdLine(text)));
    const piece = fc.constantFrom(
      'a',
      ':',
      '1',
      '|',
      'c',
      'g',
      '#',
      ',',
      'T',
      '@',
      '\\',
      'u{',
      '}',
      'd',
      '.',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void parseStatsdLine(pieces.join(''))));
  });
});

test('the values of a line are rows, the line counts once', () => {
  const { rows, outcomes } = digest(
    'a.time@ms:1:2|d|#release:shop@1.0.0,environment:prod,k:v|T1790000005\r\n\nbroken\na.load:5:1:9:20:4|g\n',
  );
  expect(outcomes).toEqual([outcome('accepted', 2), outcome('invalid', 1, 'invalid_statsd')]);
  expect(rows.metrics).toMatchObject([
    {
      name: 'a.time',
      type: 'distribution',
      unit: 'millisecond',
      value: 1,
      occurredAtUs: 1_790_000_005_000_000,
      source: 'statsd',
      release: 'shop@1.0.0',
      environment: 'prod',
      traceId: null,
      attributes: { k: 'v' },
    },
    { value: 2 },
    {
      name: 'a.load',
      type: 'gauge',
      value: 5,
      occurredAtUs: FIXTURES_RECEIVED_AT_MS * 1_000,
      attributes: { 'statsd.min': 1, 'statsd.max': 9, 'statsd.sum': 20, 'statsd.count': 4 },
    },
  ]);
  expect(new Set(rows.metrics?.map(({ rowId }) => rowId)).size).toBe(3);
});

test('lines beyond the bound are counted', () => {
  const { rows, outcomes } = digest('a:1|c\n'.repeat(ELEMENTS_MAX + 5));
  expect(rows.metrics).toHaveLength(ELEMENTS_MAX);
  expect(outcomes).toEqual([outcome('accepted', ELEMENTS_MAX), outcome('invalid', 5, 'too_many_items')]);
});

test('nothing but empty lines has an outcome too', () => {
  expect(digest(' \n\r\n').outcomes).toEqual([outcome('invalid', 1, 'no_data')]);
});

test('an old timestamp moves to its arrival', () => {
  expect(digest('a:1|c|T1').rows.metrics).toMatchObject([
    {
      occurredAtUs: FIXTURES_RECEIVED_AT_MS * 1_000,
      attributes: { 'errata.timestamp_problem': 'past_timestamp' },
    },
  ]);
});

test('values of sets are numbers of 32 bits', () => {
  expect(hashSetValue('4294967295')).toBe(4_294_967_295);
  expect(hashSetValue('4294967296')).not.toBe(4_294_967_296);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const hash = hashSetValue(value);
      expect(Number.isInteger(hash) && hash >= 0 && hash <= 0xffffffff).toBe(true);
    }),
  );
});
