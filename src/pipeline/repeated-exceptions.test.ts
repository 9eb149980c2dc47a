import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { anyPayload, normalizedPayload } from './fixtures/arbitrary-event.ts';
import { SECRET_SAMPLES } from './fixtures/secret-samples.ts';
import { compileGroupingRules } from './grouping/compile-grouping-rules.ts';
import { prepareAndGroupEvent } from './grouping/group-event.ts';
import { compileIngestRules, type IngestRules } from './ingest-rules.ts';
import { RepeatedExceptions } from './repeated-exceptions.ts';

const DEFAULTS = compileIngestRules(DEFAULT_INGEST_SETTINGS);
const OTHERS = compileIngestRules(
  {
    ...DEFAULT_INGEST_SETTINGS,
    privacy: { ...DEFAULT_INGEST_SETTINGS.privacy, sensitiveFields: ['module', 'state'] },
  },
  compileGroupingRules({
    fingerprint:
      'tags.team:payments -> payments\nlevel:fatal -> {{ default }} fatal title="Fatal {{ type }}"',
    stackTrace: 'function:a +app\nmodule:*b* -group',
  }).rules,
);

/** Without a memory. */
function expected(event: NormalizedEvent, rules: IngestRules) {
  const { event: payload, grouping } = prepareAndGroupEvent(rules.scrubber.scrubEvent(event), rules.grouping);
  return { payload, grouping: { hashes: grouping.hashes, title: grouping.title } };
}
function expectSame(repeated: RepeatedExceptions, event: NormalizedEvent, rules = DEFAULTS) {
  const sent = JSON.stringify(event);
  const { payload, grouping } = repeated.scrubAndGroup(event, rules);
  const { hashes, title } = grouping;
  const { payload: wanted, grouping: wantedGrouping } = expected(event, rules);
  expect(JSON.parse(JSON.stringify(payload))).toEqual(JSON.parse(JSON.stringify(wanted)));
  expect({ hashes, title }).toEqual(wantedGrouping);
  expect(JSON.stringify(event)).toBe(sent);
}

const around = fc.record({
  level: fc.constantFrom('error', 'fatal'),
  tags: fc.constantFrom({}, { team: 'payments' }),
  user: fc.constantFrom(null, { email: 'ann@example.com', ip_address: '10.1.2.3' }),
  extra: fc.constantFrom({}, { state: 'open', password: 'hunter2' }),
});

test('an event comes out as it would without any before it, whatever these were', () => {
  fc.assert(
    fc.property(fc.array(anyPayload, { minLength: 1, maxLength: 3 }), fc.array(around), (sent, others) => {
      const repeated = new RepeatedExceptions();
      for (const [index, other] of [{}, ...others, {}].entries()) {
        const rules = index % 3 === 1 ? OTHERS : DEFAULTS;
        for (const payload of sent) expectSame(repeated, normalizedPayload({ ...payload, ...other }), rules);
        // Of another event, all but the exception.
        const [first, second] = [sent[0], sent.at(-1)];
        expectSame(repeated, normalizedPayload({ ...second, ...other, exception: first?.exception }), rules);
      }
    }),
    { numRuns: 400 },
  );
});

const thrown = (value: string, more: Record<string, unknown> = {}): NormalizedEvent =>
  normalizedPayload({
    platform: 'python',
    exception: [
      {
        type: 'ValueError',
        value,
        stacktrace: { frames: [{ function: 'pay', module: 'shop.pay', filename: 'shop/pay.py', lineno: 7 }] },
      },
    ],
    ...more,
  });

test('an exception that came before is not made anew', () => {
  const repeated = new RepeatedExceptions();
  const first = repeated.scrubAndGroup(thrown('no money', { message: 'one' }), DEFAULTS);
  const second = repeated.scrubAndGroup(thrown('no money', { message: 'two' }), DEFAULTS);
  expect(second.payload.exception).toBe(first.payload.exception);
  expect(second.payload.logentry).not.toEqual(first.payload.logentry);
  expect(second.grouping.hashes).toEqual(first.grouping.hashes);
  const underOtherRules = repeated.scrubAndGroup(thrown('no money'), OTHERS);
  expect(underOtherRules.payload.exception).not.toBe(first.payload.exception);
});

describe('what decides beside the exception does so the second time, too:', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a fingerprint', { fingerprint: ['mine'] }],
    ['a fingerprint around the default', { fingerprint: ['{{ default }}', '{{ default }}'] }],
    ['a checksum', { checksum: 'abc' }],
    ['a tag that a rule looks at', { tags: { team: 'payments' } }],
    ['a level that a rule looks at', { level: 'fatal' }],
    ['the platform', { platform: 'java' }],
    ['frames of a thread', { threads: [{ current: true, stacktrace: { frames: [{ function: 'a' }] } }] }],
  ])('%s', (_, more) => {
    const repeated = new RepeatedExceptions();
    for (let times = 0; times < 2; times++) {
      for (const rules of [DEFAULTS, OTHERS]) {
        expectSame(repeated, thrown('no money'), rules);
        expectSame(repeated, thrown('no money', more), rules);
      }
    }
  });
});

describe('the same exception is another one', () => {
  const inBoth = (first: Record<string, unknown>, second: Record<string, unknown>) => {
    const hashes = [first, second].map(
      (sent) => expected(normalizedPayload(sent), DEFAULTS).grouping.hashes[0],
    );
    expect(hashes[0]).not.toBe(hashes[1]);
    const repeated = new RepeatedExceptions();
    for (const sent of [first, second, first]) expectSame(repeated, normalizedPayload(sent));
  };
  const frames = [{ function: 'void pay(int)', filename: 'pay.c', in_app: true }];

  test('on another platform', () => {
    const exception = [{ type: 'E', value: 'v', stacktrace: { frames } }];
    inBoth({ platform: 'python', exception }, { platform: 'native', exception });
  });

  test('of an SDK that numbers exceptions in another way', () => {
    const member = (id: number, type: string, more = {}) => ({
      type,
      value: 'v',
      stacktrace: { frames: [{ function: type, module: type, in_app: true }] },
      mechanism: { type: 'chained', exception_id: id, ...(id > 0 && { parent_id: 0 }), ...more },
    });
    const exception = [member(2, 'B'), member(1, 'B'), member(0, 'Group', { is_exception_group: true })];
    const python = { platform: 'python', exception };
    inBoth(
      { ...python, sdk: { name: 'p', version: '2.9.0' } },
      { ...python, sdk: { name: 'p', version: '3.0.0' } },
    );
  });

  test('where it says so little that the message decides', () => {
    const exception = [{ stacktrace: { frames: [{ lineno: 7 }] } }];
    inBoth({ message: 'no money', exception }, { message: 'no stock', exception });
  });
});

test('what is hidden in an exception is hidden and marked each time', () => {
  const repeated = new RepeatedExceptions();
  const secret = Object.values(SECRET_SAMPLES)[0] as string;
  for (let times = 0; times < 3; times++) {
    expectSame(repeated, thrown(`refused: ${secret}`));
    const { payload } = repeated.scrubAndGroup(thrown(`refused: ${secret}`), DEFAULTS);
    expect(JSON.stringify(payload)).not.toContain(secret);
    expect(payload._meta).toHaveProperty('exception');
  }
});

test('a platform whose exceptions are all new is looked at now and then, and again when they come back', () => {
  const repeated = new RepeatedExceptions();
  for (let index = 0; index < 200; index++) repeated.scrubAndGroup(thrown(`order ${index}`), DEFAULTS);
  const isKnownNow = () => {
    const [first, second] = [0, 0].map(() => repeated.scrubAndGroup(thrown('the same'), DEFAULTS));
    return first?.payload.exception === second?.payload.exception;
  };
  expect(isKnownNow()).toBe(false);
  let tries = 0;
  while (!isKnownNow() && tries < 100) tries += 1;
  expect(tries).toBeLessThan(40);
});

test('what is remembered is bounded in number and in size', () => {
  const repeated = new RepeatedExceptions();
  // A known one in between, so that all are looked up.
  const keepLooking = () => repeated.scrubAndGroup(thrown('again'), DEFAULTS);
  for (let index = 0; index < 1_500; index++) {
    keepLooking();
    repeated.scrubAndGroup(thrown(`order ${index}`), DEFAULTS);
  }
  expect(repeated.size.entries).toBe(1_000);
  for (let index = 0; index < 400; index++) {
    keepLooking();
    repeated.scrubAndGroup(thrown(`${index} ${'x'.repeat(5_000)}`.repeat(10)), DEFAULTS);
  }
  expect(repeated.size.chars).toBeLessThanOrEqual(2_000_000);
  expect(repeated.size.entries).toBeLessThan(1_000);
  for (let index = 0; index < 500; index++) {
    repeated.scrubAndGroup(thrown(`order ${index}`, { platform: `made-up-${index}` }), DEFAULTS);
  }
  expect(repeated.size.platforms).toBeLessThanOrEqual(100);
});
