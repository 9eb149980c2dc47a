import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext } from '../item.ts';
import { digestSession } from './digest-session.ts';
import { digestSessionAggregates } from './digest-session-aggregates.ts';

const at = (secondsAgo: number): string =>
  new Date(FIXTURES_RECEIVED_AT_MS - secondsAgo * 1000).toISOString();
const DAY = 24 * 60 * 60;

const session = (fields: Record<string, unknown> = {}) => ({
  sid: '8333339f-5675-4f89-a9a0-1c935255ab58',
  did: 'ada@example.com',
  seq: 42,
  init: true,
  timestamp: at(5),
  started: at(60),
  duration: 55.25,
  status: 'exited',
  errors: 0,
  attrs: {
    release: 'shop@1.0.0',
    environment: 'production',
    ip_address: '::1',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
  ...fields,
});

const digest = (payload: unknown, context: Partial<ItemContext> = {}) =>
  digestSession(rawItem('session', payload), itemContext(context));
const rowOf = (payload: unknown, context: Partial<ItemContext> = {}) =>
  digest(payload, context).rows.sessions?.[0];
const reasonOf = (payload: unknown, context: Partial<ItemContext> = {}) => {
  const [outcome] = digest(payload, context).outcomes;
  return `${outcome?.outcome} ${outcome?.reason}`;
};
const withFilters = (filters: Partial<typeof NO_FILTERS>): Partial<ItemContext> => ({
  rules: compileIngestRules({ ...DEFAULT_INGEST_SETTINGS, filters: { ...NO_FILTERS, ...filters } }),
});

describe('a session update', () => {
  test('keeps what the SDK said, and no name of a person', () => {
    expect(rowOf(session())).toMatchObject({
      kind: 'session',
      sessionId: '8333339f56754f89a9a01c935255ab58',
      seq: 42,
      isInit: true,
      startedAt: FIXTURES_RECEIVED_AT_MS - 60_000,
      occurredAt: FIXTURES_RECEIVED_AT_MS - 5_000,
      durationSeconds: 55.25,
      status: 'exited',
      errors: 0,
      release: 'shop@1.0.0',
      environment: 'production',
      abnormalMechanism: null,
    });
    expect(rowOf(session())?.distinctIdHash).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(rowOf(session()))).not.toContain('ada@');
  });

  test('the same distinct id has the same hash, another one another', () => {
    const hash = (did: unknown) => rowOf(session({ did }))?.distinctIdHash;
    expect(hash('ada')).toBe(hash('ada'));
    expect(hash('ada')).not.toBe(hash('bob'));
    expect(hash(null)).toBeNull();
    expect(hash('')).toBeNull();
  });

  test.each([
    ['ok', 0, 'exited'],
    ['exited', 0, 'exited'],
    ['ok', 2, 'errored'],
    ['exited', 1, 'errored'],
    ['errored', 0, 'errored'],
    ['crashed', 1, 'crashed'],
    ['abnormal', 1, 'abnormal'],
    ['unhandled', 3, 'unhandled'],
  ])('status %s with %i errors counts as %s, and as nothing else', (status, errors, end) => {
    const row = rowOf(session({ status, errors }));
    const { exited, errored, crashed, abnormal, unhandled } = row ?? {};
    expect({ exited, errored, crashed, abnormal, unhandled }).toEqual({
      exited: 0,
      errored: 0,
      crashed: 0,
      abnormal: 0,
      unhandled: 0,
      [end]: 1,
    });
  });

  test('without id, number and time it has those of its arrival', () => {
    const { sid: _sid, seq: _seq, timestamp: _timestamp, ...rest } = session();
    expect(rowOf(rest)).toMatchObject({
      sessionId: '0123456789abcdef0123456789abcdef',
      seq: FIXTURES_RECEIVED_AT_MS,
      occurredAt: FIXTURES_RECEIVED_AT_MS,
    });
  });

  test('an update is never older than its session', () => {
    const row = rowOf(session({ started: at(10), timestamp: at(100) }));
    expect(row?.occurredAt).toBe(FIXTURES_RECEIVED_AT_MS - 10_000);
  });

  test('a clock that is off shifts both times', () => {
    const row = rowOf(session({ started: at(2 * DAY + 60), timestamp: at(2 * DAY + 5) }), {
      sentAtMs: FIXTURES_RECEIVED_AT_MS - 2 * DAY * 1000,
    });
    expect(row?.startedAt).toBe(FIXTURES_RECEIVED_AT_MS - 60_000);
    expect(row?.occurredAt).toBe(FIXTURES_RECEIVED_AT_MS - 5_000);
  });

  test('anr mechanisms are kept, others are not', () => {
    const mechanism = (abnormal_mechanism: unknown) =>
      rowOf(session({ abnormal_mechanism }))?.abnormalMechanism;
    expect(mechanism('anr_foreground')).toBe('anr_foreground');
    expect(mechanism('none')).toBeNull();
  });

  test.each([
    ['five days and a second old', { started: at(5 * DAY + 1) }, 'invalid past_timestamp'],
    ['two minutes ahead', { started: at(-120), timestamp: at(-120) }, 'invalid future_timestamp'],
    ['no start', { started: undefined }, 'invalid invalid_session'],
    ['a start that is no time', { started: 'yesterday' }, 'invalid invalid_session'],
    ['no attributes', { attrs: undefined }, 'invalid invalid_session'],
    ['no release', { attrs: {} }, 'invalid invalid_release'],
    ['an empty release', { attrs: { release: ' ' } }, 'invalid invalid_release'],
    ['a release with a slash', { attrs: { release: 'a/b' } }, 'invalid invalid_release'],
    ['a long release', { attrs: { release: 'x'.repeat(251) } }, 'invalid invalid_release'],
    ['a release named latest', { attrs: { release: 'Latest' } }, 'invalid invalid_release'],
    ['a status nobody knows', { status: 'sleeping' }, 'invalid invalid_session'],
    ['a sequence that overflowed', { seq: 2 ** 64 }, 'invalid invalid_session'],
    ['a negative sequence', { seq: -1 }, 'invalid invalid_session'],
    ['an id that is none', { sid: 'x' }, 'invalid invalid_session'],
    ['errors that are no number', { errors: 'many' }, 'invalid invalid_session'],
  ])('is refused with %s', (_name, fields, reason) => {
    expect(reasonOf(session(fields))).toBe(reason);
  });

  test('just within the bounds of time it is taken', () => {
    expect(reasonOf(session({ started: at(5 * DAY - 1) }))).toBe('accepted ');
    expect(reasonOf(session({ started: at(-59), timestamp: at(-59) }))).toBe('accepted ');
  });

  test('an invalid environment is left out', () => {
    const environment = (name: string) =>
      rowOf(session({ attrs: { release: '1', environment: name } }))?.environment;
    expect(environment('none')).toBeNull();
    expect(environment('a/b')).toBeNull();
    expect(environment('x'.repeat(65))).toBeNull();
    expect(environment('staging')).toBe('staging');
  });

  test('inbound filters hold', () => {
    expect(reasonOf(session(), withFilters({ releases: ['shop@1.*'] }))).toBe('filtered release-version');
    expect(reasonOf(session(), withFilters({ localhost: true }))).toBe('filtered localhost');
    expect(
      reasonOf(session({ attrs: { release: '1', ip_address: '{{auto}}' } }), {
        ...withFilters({ localhost: true }),
        clientIp: '127.0.0.1',
      }),
    ).toBe('filtered localhost');
    expect(
      reasonOf(
        session({ attrs: { release: '1', user_agent: 'Googlebot/2.1' } }),
        withFilters({ webCrawlers: true }),
      ),
    ).toBe('filtered web-crawlers');
  });
});

describe('sessions that an SDK counted', () => {
  const aggregates = (buckets: unknown[], attrs: unknown = { release: 'shop@1.0.0' }) =>
    digestSessionAggregates(rawItem('sessions', { aggregates: buckets, attrs }), itemContext());

  test('are one row and one outcome per bucket', () => {
    const result = aggregates([
      { started: at(60), did: 'ada', exited: 3, errored: 1 },
      { started: at(120), crashed: 2, abnormal: 4, unhandled: 5 },
      { started: at(6 * DAY), exited: 1 },
      { started: at(60) },
      'nonsense',
      { started: at(60), exited: -1 },
    ]);
    expect(result.rows.sessions).toHaveLength(2);
    expect(result.rows.sessions?.[0]).toMatchObject({
      kind: 'aggregate',
      sessionId: null,
      exited: 3,
      errored: 1,
      crashed: 0,
      startedAt: FIXTURES_RECEIVED_AT_MS - 60_000,
    });
    expect(result.rows.sessions?.[1]).toMatchObject({
      crashed: 2,
      abnormal: 4,
      unhandled: 5,
      distinctIdHash: null,
    });
    expect(result.outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity])).toEqual([
      ['accepted', '', 2],
      ['invalid', 'past_timestamp', 1],
      ['invalid', 'no_data', 1],
      ['invalid', 'invalid_session', 2],
    ]);
  });

  test('every row has an id of its own, and the same one each time', () => {
    const ids = () =>
      aggregates([
        { started: at(60), exited: 1 },
        { started: at(60), exited: 1 },
      ]).rows.sessions?.map(({ rowId }) => rowId);
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toEqual(ids());
  });

  test('without a release all of them are refused', () => {
    const result = aggregates(
      [
        { started: at(60), exited: 1 },
        { started: at(60), exited: 1 },
      ],
      {},
    );
    expect(result.outcomes).toEqual([
      { category: 'session', outcome: 'invalid', reason: 'invalid_release', quantity: 2 },
    ]);
  });
});

test('whatever is sent, there is an answer and no row without a release', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(at(1), 'ok', 1e300, -1, '2020-13-45', null));
  const fields = [
    'sid',
    'did',
    'seq',
    'init',
    'started',
    'timestamp',
    'duration',
    'status',
    'errors',
    'attrs',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...fields, 'aggregates'), value, (name, sent) => {
      const payload = {
        ...session(),
        aggregates: [{ started: at(1), exited: 1, [name]: sent }],
        [name]: sent,
      };
      for (const result of [
        digest(payload),
        digestSessionAggregates(rawItem('sessions', payload), itemContext()),
      ]) {
        expect(result.outcomes.length).toBeGreaterThan(0);
        for (const row of result.rows.sessions ?? []) {
          expect(row.release).not.toBe('');
          expect(Number.isSafeInteger(row.startedAt)).toBe(true);
        }
      }
    }),
  );
});
