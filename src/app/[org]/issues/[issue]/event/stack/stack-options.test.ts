import { expect, it } from 'vitest';
import { keptStack, readStackOptions, stackEntries } from './stack-options.ts';

it('follows the address, then what was chosen last, then the default', () => {
  expect(readStackOptions({}, undefined)).toEqual({ shape: 'own', order: 'newest' });
  expect(readStackOptions({}, 'all.oldest')).toEqual({ shape: 'all', order: 'oldest' });
  expect(readStackOptions({ stack: 'raw' }, 'all.oldest')).toEqual({ shape: 'raw', order: 'oldest' });
  expect(readStackOptions({ stack: 'own', order: 'newest' }, 'raw.oldest')).toEqual({
    shape: 'own',
    order: 'newest',
  });
});

it('ignores what it does not know', () => {
  expect(readStackOptions({ stack: 'x', order: ['y'] }, 'z.')).toEqual({ shape: 'own', order: 'newest' });
});

it('reads what it writes', () => {
  const options = { shape: 'raw', order: 'oldest' } as const;
  expect(readStackOptions(stackEntries(options), undefined)).toEqual(options);
  expect(readStackOptions({}, keptStack(options))).toEqual(options);
});
