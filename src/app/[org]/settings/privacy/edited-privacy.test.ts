import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, type PrivacySettings } from '#protocol/ingest-settings.ts';
import { fieldProblems, fromEdited, linesOf, moveRule, toEdited } from './edited-privacy.ts';

const rule = (selector: string) =>
  ({ method: 'mask', type: 'email', pattern: null, placeholder: null, selector }) as const;

const PRIVACY: PrivacySettings = {
  ...DEFAULT_INGEST_SETTINGS.privacy,
  sensitiveFields: ['a b', 'c'],
  advancedRules: [rule('one'), rule('two'), rule('three')],
};

describe('settings in the form', () => {
  test('come out as they went in', () => {
    expect(fromEdited(toEdited(PRIVACY))).toEqual(PRIVACY);
  });

  test('lines are trimmed, blank and repeated ones left out', () => {
    expect(linesOf(' a \r\n\n b\na\rc')).toEqual(['a', 'b', 'c']);
  });

  test('rules move, but not over the ends', () => {
    const { rules } = toEdited(PRIVACY);
    const order = (from: number, to: number) => moveRule(rules, from, to).map(({ selector }) => selector);
    expect(order(0, 1)).toEqual(['two', 'one', 'three']);
    expect(order(2, 1)).toEqual(['one', 'three', 'two']);
    expect(order(0, -1)).toEqual(['one', 'two', 'three']);
    expect(order(2, 3)).toEqual(['one', 'two', 'three']);
  });

  test('problems name the line', () => {
    const problems = [
      { list: 'safeFields', index: 1, part: null, position: 2, message: 'Wrong' },
      { list: 'sensitiveFields', index: 0, part: null, position: null, message: 'Other' },
    ] as const;
    expect(fieldProblems(problems, 'safeFields', 'a\n\nb.$')).toEqual(['“b.$”, at character 3: Wrong.']);
  });
});
