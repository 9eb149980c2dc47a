import { describe, expect, test } from 'vitest';
import { digestFixture, FIXTURES_RECEIVED_AT_MS } from '#pipeline/fixtures/digest-fixture.ts';
import { DEFAULT_GROUPING_RULES } from '#pipeline/grouping/compile-grouping-rules.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { compileScrubber } from '#pipeline/scrub/scrubber.ts';
import { resymbolicateEvent } from '#product/symbolication/resymbolicate-event.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { eventOf, framesOf, minified, script, sourcesOf } from './harness/minified-event.ts';

/** The name of its function stands where the map says `applyCoupon`. */
const CODE = ' function a(){      b()}';

describe('digest', () => {
  const frames = [minified(20, { function: 'a' }), minified(10, { function: 'b' })];
  const payload = { ...eventOf(frames), timestamp: FIXTURES_RECEIVED_AT_MS / 1000, received: undefined };
  const symbols = sourcesOf(() => script(undefined, {}, CODE));
  const contextLinesGo = compileIngestRules({
    ...DEFAULT_INGEST_SETTINGS,
    privacy: {
      ...DEFAULT_INGEST_SETTINGS.privacy,
      advancedRules: [
        {
          method: 'remove',
          type: 'anything',
          pattern: null,
          placeholder: null,
          selector: '$frame.context_line',
        },
      ],
    },
  });

  test('groups and titles by the sources', () => {
    const before = digestFixture(payload);
    const after = digestFixture(payload, { symbols });
    expect(after.culprit).toBe('applyCoupon(src/cart)');
    expect(after.groupingHash).not.toBe(before.groupingHash);
    const otherNames = {
      ...payload,
      exception: eventOf([minified(20, { function: 'x' }), minified(10, { function: 'y' })]).exception,
    };
    expect(digestFixture(otherNames, { symbols }).groupingHash).toBe(after.groupingHash);
  });

  test('scrubs what the sources bring', () => {
    const event = digestFixture(payload, { symbols, rules: contextLinesGo });
    expect(framesOf(event.payload)[1]).toMatchObject({ filename: '../src/cart.ts', context_line: null });
  });

  test('takes no problem from the outside', () => {
    const data = { source_problem: { reason: 'x' }, symbolicated: true, custom: 1 };
    const [frame] = framesOf(
      digestFixture({ ...payload, exception: eventOf([minified(10, { data })]).exception }).payload,
    );
    expect(frame?.data).toMatchObject({ custom: 1 });
    expect(frame?.data).not.toHaveProperty('symbolicated');
    expect(frame?.data).not.toHaveProperty('source_problem');
  });
});

describe('an event that is symbolicated anew', () => {
  const rules = {
    scrubber: compileScrubber(DEFAULT_INGEST_SETTINGS.privacy),
    grouping: DEFAULT_GROUPING_RULES,
    standIns: new Map<string, string>(),
  };
  const sent = { ...eventOf([minified(10)]), timestamp: FIXTURES_RECEIVED_AT_MS / 1000 };
  const absent = sourcesOf(() => ({ kind: 'absent', reason: 'release_has_no_files', release: 'shop@1.0' }));
  const found = sourcesOf(() => script());

  test('is the one that digest would store now', () => {
    const stored = digestFixture(sent, { symbols: absent });
    const fresh = digestFixture(sent, { symbols: found });
    const again = resymbolicateEvent(stored, found, rules);
    expect(again?.hash).toBe(fresh.groupingHash);
    expect(again?.event).toEqual({
      ...fresh,
      groupingHash: stored.groupingHash,
      groupingHashes: stored.groupingHashes,
    });
  });

  test('is left alone when its frames stay', () => {
    for (const symbols of [absent, found]) {
      expect(resymbolicateEvent(digestFixture(sent, { symbols }), symbols, rules)).toBeNull();
    }
  });

  test('keeps the source that it shows when nobody has it any more', () => {
    const stored = digestFixture(sent, { symbols: found });
    const late = sourcesOf(({ url }) => ({ kind: 'absent', reason: 'not_loaded_in_time', url }));
    for (const gone of [absent, late]) expect(resymbolicateEvent(stored, gone, rules)).toBeNull();
    const withoutText = sourcesOf(() => script(undefined, { findSource: () => null }));
    expect(resymbolicateEvent(stored, withoutText, rules)).toBeNull();
  });

  test('gives its hash again where only its frames were replaced, unless its row stands for that hash', () => {
    const before = digestFixture(sent, { symbols: absent });
    const after = digestFixture(sent, { symbols: found });
    const half = { ...after, groupingHash: before.groupingHash };
    expect(resymbolicateEvent(half, found, rules)).toMatchObject({
      hash: after.groupingHash,
      hasNewFrames: false,
    });
    const standIns = new Map([[before.groupingHash, after.groupingHash]]);
    expect(resymbolicateEvent(half, found, { ...rules, standIns })).toBeNull();
    const other = { ...before, groupingHash: after.groupingHash };
    expect(resymbolicateEvent(other, absent, rules)).toBeNull();
  });

  test('has its new lines scrubbed, and nothing marked twice', () => {
    const secret = compileScrubber({
      ...DEFAULT_INGEST_SETTINGS.privacy,
      advancedRules: [
        {
          method: 'replace',
          type: 'pattern',
          pattern: 'line 8',
          placeholder: '[gone]',
          selector: '$frame.context_line',
        },
      ],
    });
    const stored = digestFixture({ ...sent, extra: { password: 'x' } }, { symbols: absent });
    const again = resymbolicateEvent(stored, found, { ...rules, scrubber: secret })?.event.payload;
    expect(framesOf(again!)[0]?.context_line).toBe('[gone]');
    expect(again?._meta?.extra).toEqual(stored.payload._meta?.extra);
    expect(again?._meta).toHaveProperty('exception');
  });
});
