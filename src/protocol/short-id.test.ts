import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatShortId, isShortId } from './short-id.ts';

test('a short id is the slug in upper case and the counter in base 32', () => {
  expect(formatShortId('web', 1)).toBe('WEB-1');
  expect(formatShortId('web', 31)).toBe('WEB-Z');
  expect(formatShortId('web', 32)).toBe('WEB-10');
  expect(formatShortId('web', 111)).toBe('WEB-3F');
});

test('two issues of an organization never have the same short id', () => {
  const slug = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,49}$/);
  fc.assert(
    fc.property(slug, fc.nat(), slug, fc.nat(), (slugA, a, slugB, b) => {
      expect(formatShortId(slugA, a) === formatShortId(slugB, b)).toBe(slugA === slugB && a === b);
    }),
  );
  expect(formatShortId('my_api', 1)).not.toBe(formatShortId('my-api', 1));
  expect(formatShortId('web-1', 1)).not.toBe(formatShortId('web', 33));
});

test('every short id is recognized as one, in either case', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,49}$/), fc.nat(), (slug, counter) => {
      const shortId = formatShortId(slug, counter);
      expect(isShortId(shortId)).toBe(true);
      expect(isShortId(shortId.toLowerCase())).toBe(true);
    }),
  );
});

test.each(['', '42', 'WEB', 'WEB-', 'WEB-I', 'a b-1', '../WEB-1'])('%j is not a short id', (text) => {
  expect(isShortId(text)).toBe(false);
});
