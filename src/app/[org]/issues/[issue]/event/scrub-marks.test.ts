import { describe, expect, test } from 'vitest';
import { countScrubbed, marksOf, metaAt } from './scrub-marks.tsx';

const filtered = (rule: string, kind = 's') => ({ '': { rem: [[rule, kind, 0, 10]], len: 5 } });

const META = {
  extra: {
    password: filtered('@password:filter'),
    deep: { a: filtered('@creditcard:filter'), b: { c: filtered('@password:filter') } },
    long: filtered('!limit'),
  },
  tags: { 0: { 1: filtered('strip-fields') } },
  user: { ip_address: { '': { rem: [['@anything:remove', 'x']] } } },
};

describe('marks of what was scrubbed', () => {
  test('a value has its own, and those of what is in it, each once', () => {
    expect(marksOf(metaAt(META, 'extra', 'password'))).toEqual([
      { label: 'filtered: password', rule: 'Default rules (@password:filter): password fields' },
    ]);
    expect(marksOf(metaAt(META, 'extra', 'deep')).map(({ label }) => label)).toEqual([
      'filtered: credit card',
      'filtered: password',
    ]);
    expect(marksOf(metaAt(META, 'tags', 0, 1)).map(({ label }) => label)).toEqual([
      'filtered: sensitive field',
    ]);
    expect(marksOf(metaAt(META, 'user', 'ip_address')).map(({ label }) => label)).toEqual(['removed: value']);
    expect(marksOf(metaAt(META, 'extra', 'long')).map(({ label }) => label)).toEqual([
      'shortened: long text',
    ]);
    expect(marksOf(metaAt(META, 'nothing', 'here'))).toEqual([]);
  });

  test('what SDKs shortened is not scrubbed', () => {
    expect(countScrubbed(META)).toBe(5);
    expect(countScrubbed(undefined)).toBe(0);
  });

  test('anything may stand in `_meta`', () => {
    for (const meta of [
      null,
      4,
      [],
      { '': null },
      { '': { rem: 'x' } },
      { '': { rem: [null, [1], ['a']] } },
    ]) {
      expect(() => [marksOf(meta), countScrubbed(meta), metaAt(meta, 'a', 0)]).not.toThrow();
    }
  });
});
